// What other chunk sizes would cost: `chunk_sizes`. The model is in
// core/facts/chunk_size_model.hpp.
#include <algorithm>
#include <cmath>

#include "core/base/number_format.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/chunk_size_model.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::chunk_sizes {

namespace {

using Estimate = ChunkSizeModel::Estimate;

/// Sizes from 1/16 to 16 x the present one, two per doubling; as people ask for them, see
/// `two_digits`.
constexpr int steps_each_way = 8;
/// Dask's worker pauses at 80 % of its memory limit (`distributed.worker.memory.pause`).
constexpr double memory_share = 0.8;
/// A tail of more than this share of the run is said to bite.
constexpr double tail_share = 0.1;
/// Sizes whose expected run time differs by less are as good as each other.
constexpr double as_good = 0.02;

/// 28,284 is 28,000: more digits would promise more than a model can hold.
double two_digits(double size) {
  double unit = 1;
  while (size >= 100 * unit) unit *= 10;
  return std::round(size / unit) * unit;
}

/// The worker whose memory came nearest to its limit: where it began, its peak, its limit.
struct Memory {
  double begin = absent, peak = absent, limit = absent;
};

Memory tightest_worker(const Run& run) {
  Memory tightest;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Moments used = moments(run.workers.of(Series::memory, w).values);
    double limit = run.workers.memory_limit[w];
    if (is_absent(limit)) limit = moments(run.workers.of(Series::memory_limit, w).values).max;
    if (used.count == 0 || !(limit > 0)) continue;
    if (!(used.max / limit <= tightest.peak / tightest.limit))
      tightest = {used.min, used.max, limit};
  }
  return tightest;
}

/// A size that could be asked for, and what it would change.
struct Offer {
  double events, chunks;
  bool is_present;
  double inside, outside_low, outside_high, longest;  // [s]
  Estimate elapsed;                                   // [s]
  double tail;                                        // [s]
  double memory;                                      // [byte]
  const char* limited_by;
};

/// Sizes around the present one; what they rest on, and what follows from them, is noted.
std::vector<Offer> offers_of(const Run& run, const Selection& selection, const Options& options,
                             Table& notes) {
  const ChunkSelection chosen(run, selection);
  const ChunkSizeModel model = chunk_size_model(run, chosen, selection.empty(), options);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    notes.note("selection", note);
  if (model.empty()) {
    notes.note("missing", run.chunks_recorded ? "no selected chunk has a duration and events"
                                              : missing::chunks);
    return {};
  }
  notes.note("fitted", model.fitted);
  if (model.fitted < 1) {
    notes.note("basis", std::string(model.fitted == 0 ? "the chunks of each dataset"
                                                      : "the chunks of some datasets") +
                            " hardly differ in size: of their fixed cost only bounds are known, "
                            "nothing and the time of the "
                            "fastest chunks; a run with another chunk size would tell more");
  }
  const double now_events = model.median_events;
  const bool timed = model.timed();
  const Memory worker = tightest_worker(run);

  struct Row {
    double size, mid;
  };
  std::vector<Row> good;
  std::vector<Offer> offers;
  Estimate best{absent, absent, absent};
  const auto put = [&](double size, const Cutting& cut, bool is_present) {
    const Estimate time = timed ? model.at(cut) : Estimate{absent, absent, absent};
    const double grown = model.outside * cut.chunks / model.now.chunks;
    const double used =
        worker.begin + (worker.peak - worker.begin) * cut.largest / model.now.largest;
    const bool full = used > memory_share * worker.limit;
    const bool alone = timed && model.tail(cut) > tail_share * time.mid;
    offers.push_back({.events = size,
                      .chunks = cut.chunks,
                      .is_present = is_present,
                      .inside = model.seconds + cut.inside_line - model.now.inside_line,
                      .outside_low = std::min(model.outside, grown),
                      .outside_high = std::max(model.outside, grown),
                      .longest = model.longest(cut),
                      .elapsed = time,
                      .tail = model.cores >= 1 ? model.tail(cut) : absent,
                      .memory = used,
                      .limited_by = full    ? "memory"
                                    : alone ? "tail"
                                            : ""});
    if (timed && !full) {
      good.push_back({size, time.mid});
      if (!(time.mid >= best.mid)) best = time;
    }
  };
  constexpr double root_two = 1.4142135623730951;
  double size = now_events / 16;
  double last_chunks = absent;
  for (int step = -steps_each_way; step <= steps_each_way; ++step) {
    if (step == 0) {
      put(now_events, model.now, true);
    } else if (const double asked = two_digits(size); asked >= 1) {
      const Cutting cut = model.cut_at(asked);
      // Files cannot be joined: beyond one chunk per file no size changes anything.
      if (cut.chunks == last_chunks && cut.chunks == model.files) break;
      last_chunks = cut.chunks;
      put(asked, cut, false);
    }
    size *= root_two;
  }

  notes.note("present_events", now_events);
  notes.note("fixed_seconds", model.fixed_seconds() / model.now.chunks);
  notes.note("outside_per_chunk", model.outside / model.now.chunks);
  notes.note("cores", model.cores);
  notes.note("memory_limit", worker.limit);
  if (!timed) {
    notes.note("missing",
               selection.empty()
                   ? "the number of cores or the run's length is not known: core-seconds only"
                   : "the run's length belongs to all chunks: under a filter core-seconds only");
    return offers;
  }
  if (good.empty()) {
    notes.note(
        "advice",
        "every size comes near the workers' memory limit: give them more memory, or fewer threads");
    return offers;
  }
  double from = absent, to = absent;
  for (const Row& row : good) {
    if (row.mid > best.mid * (1 + as_good)) continue;
    if (!(row.size >= from)) from = row.size;
    if (!(row.size <= to)) to = row.size;
  }
  notes.note("best_low", from);
  notes.note("best_high", to);
  const std::string range =
      (from == to ? "" : format_number(two_digits(from)) + " to ") + format_number(two_digits(to));
  if (best.mid >= model.elapsed * (1 - as_good)) {
    notes.note("advice", "the present size is as good as any: " + range +
                             " events per chunk are expected to take as long");
  } else if (!(best.high < model.elapsed)) {
    notes.note("advice", range + " events per chunk may take " + format_seconds(best.mid) +
                             " instead of " + format_seconds(model.elapsed) + "; anything from " +
                             format_seconds(best.low) + " to " + format_seconds(best.high) +
                             " fits what was recorded");
  } else {
    notes.note("advice", range + " events per chunk are expected to take " +
                             format_seconds(best.mid) + " (" + format_seconds(best.low) + " to " +
                             format_seconds(best.high) + ") instead of " +
                             format_seconds(model.elapsed));
  }
  return offers;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  Table table;
  const std::vector<Offer> offers = offers_of(*runs[0], selection, options, table);
  Rows rows(table, offers);
  rows.number("chunk_events", "count", &Offer::events,
              "events per chunk that are asked for; coffea divides each file evenly");
  rows.flag("present", &Offer::is_present,
            "the run as it was: its median chunk, its measured time");
  rows.number("chunks", "count", &Offer::chunks,
              "Σ over files of round(events / chunk_events), at least 1");
  rows.number("inside_seconds", "s", &Offer::inside,
              "present Σ + Δ of (fixed cost x chunks) over datasets");
  rows.number("outside_low", "s", &Offer::outside_low,
              "processor tasks outside process(), if they cost per event");
  rows.number("outside_high", "s", &Offer::outside_high, "the same, if they cost per chunk");
  rows.number("longest_chunk", "s", &Offer::longest,
              "expected of the largest chunk, stretched as the present longest one is");
  rows.number(
      "elapsed", "s", [](const Offer& o) { return o.elapsed.likely(); },
      "present + Δ(core-seconds, those outside process() per chunk) / cores + half of Δtail; "
      "missing where the band is wider than 2x");
  rows.number(
      "elapsed_low", "s", [](const Offer& o) { return o.elapsed.low; },
      "the best case: of the fits, of the outside cost, of the tail");
  rows.number(
      "elapsed_high", "s", [](const Offer& o) { return o.elapsed.high; },
      "the worst case of the same");
  rows.number("tail", "s", &Offer::tail,
              "(1 − 1/cores) x the longest chunk: at most so long the last ones run alone");
  rows.number("memory", "byte", &Offer::memory,
              "of the worker nearest to its limit: its lowest + (its peak − lowest) x largest "
              "chunk / present largest");
  rows.text("limited_by", &Offer::limited_by);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "chunk_sizes",
    .about = "what other chunk sizes would change",
    .options = {&facts::processor_option},
    .narrowed_by = all_dimensions,  // totals of the whole run are withheld under any selection
    .function = answer,
};

}  // namespace crema::questions::chunk_sizes
