// What other chunk sizes would cost: `chunk_sizes`.
//
// A model of three terms, each from this run: inside process() a fixed cost per chunk and one per
// event (a robust line per dataset); outside of it (opening files, unpickling, sending results) a
// cost that may be per chunk or per event, which nobody recorded, so both are computed and span a
// range; and at the end cores that idle while the last chunks run, at most (1 − 1/cores) x the
// longest chunk (R. L. Graham, SIAM J. Appl. Math. 17, 1969). The present size has its measured
// values.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/fit.hpp"
#include "core/base/number_format.hpp"
#include "core/facts/budget.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/chunk_groups.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/tail.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::chunk_sizes {

namespace {

/// Sizes from 1/16 to 16 x the present one, two per doubling; as people ask for them, see
/// `two_digits`.
constexpr int steps_each_way = 8;
/// Dask's worker pauses at 80 % of its memory limit (`distributed.worker.memory.pause`).
constexpr double memory_share = 0.8;
/// A tail of more than this share of the run is said to bite.
constexpr double tail_share = 0.1;
/// No fixed cost is above what the fastest twentieth of the chunks took altogether.
constexpr double fastest = 0.05;
/// Sizes whose expected run time differs by less are as good as each other.
constexpr double as_good = 0.02;

/// The chunks of one dataset: what they cost, and the files that they cut.
struct Population {
  double events = 0, seconds = 0, largest = 0;
  double chunks = 0;
  std::vector<double> sizes, durations;
  std::vector<double> file_events;  // of each file
  Line line, flat, steep;
};

/// A line that can be a cost: neither part below nothing.
Line sound(Line line, const Population& p) {
  if (line.slope < 0) return {p.seconds / p.chunks, 0};
  if (line.fixed < 0) return {0, p.seconds / p.events};
  return line;
}

/// 28,284 is 28,000: more digits would promise more than a model can hold.
double two_digits(double size) {
  double unit = 1;
  while (size >= 100 * unit) unit *= 10;
  return std::round(size / unit) * unit;
}

/// coffea cuts a file into round(entries / chunksize) chunks of equal size, at least one
/// (`FileMeta.chunks`).
double pieces(double entries, double size) { return std::max(1.0, std::round(entries / size)); }

struct Cutting {
  double chunks = 0;
  double inside_line = 0, inside_flat = 0, inside_steep = 0;  // [core-s]
  double longest = 0;                                         // [s] expected of the largest chunk
  double largest = 0;                                         // [events]
};

void add(Cutting& cut, const Population& p, double chunks, double largest) {
  cut.chunks += chunks;
  cut.inside_line += p.line.fixed * chunks + p.line.slope * p.events;
  cut.inside_flat += p.flat.fixed * chunks + p.flat.slope * p.events;
  cut.inside_steep += p.steep.fixed * chunks + p.steep.slope * p.events;
  cut.longest = std::max(cut.longest, p.line.fixed + p.line.slope * largest);
  cut.largest = std::max(cut.largest, largest);
}

Cutting cut_at(const std::vector<Population>& populations, double size) {
  Cutting cut;
  for (const Population& p : populations) {
    double chunks = 0, largest = 0;
    for (const double entries : p.file_events) {
      const double n = pieces(entries, size);
      chunks += n;
      largest = std::max(largest, std::ceil(entries / n));
    }
    add(cut, p, chunks, largest);
  }
  return cut;
}

std::vector<Population> find_populations(const Run& run, const ChunkSelection& chosen) {
  const Chunks& c = run.chunks;
  const ChunkGroups& datasets = chunk_groups(run, ChunkKey::dataset);
  const ChunkGroups& files = chunk_groups(run, ChunkKey::file);
  std::vector<double> file_events(files.size(), 0);
  std::vector<std::uint32_t> touched;
  std::vector<Population> populations;
  for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
    Population p;
    for (const std::uint32_t i : datasets.members(dataset)) {
      if (!chosen[i] || is_absent(c.duration[i]) || !(c.events[i] > 0)) continue;
      p.events += c.events[i];
      p.seconds += c.duration[i];
      p.chunks += 1;
      p.largest = std::max(p.largest, c.events[i]);
      p.sizes.push_back(c.events[i]);
      p.durations.push_back(c.duration[i]);
      double& of_file = file_events[files.of[i]];
      if (of_file == 0) touched.push_back(files.of[i]);
      of_file += c.events[i];
    }
    for (const std::uint32_t file : touched)
      p.file_events.push_back(std::exchange(file_events[file], 0));
    touched.clear();
    if (p.chunks > 0) populations.push_back(std::move(p));
  }
  return populations;
}

/// Lines for all: fitted where a dataset's chunks differ in size. Where they do not, the fixed cost
/// is only known to lie between nothing and the time of the fastest chunks. Returns the share of
/// the chunks that could be fitted.
double fit(std::vector<Population>& populations) {
  double fitted = 0, all = 0;
  for (Population& p : populations) {
    all += p.chunks;
    const LineRange range =
        sizes_differ(p.sizes) ? robust_line_range(p.sizes, p.durations) : LineRange{};
    if (!is_absent(range.line.slope)) {
      p.line = sound(range.line, p);
      p.flat = sound(range.flat, p);
      p.steep = sound(range.steep, p);
      fitted += p.chunks;
      continue;
    }
    std::vector<double> durations = p.durations;
    const double most = quantile_of(durations, fastest);
    const auto with = [&](double cost) {
      return Line{cost, std::max(0.0, p.seconds - cost * p.chunks) / p.events};
    };
    p.line = with(most / 2);
    p.flat = with(most);
    p.steep = with(0);
  }
  return fitted / all;
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

struct Estimate {
  double low, mid, high;
};

/// The model around the present run; all cases of what is not known.
struct Model {
  Cutting now;
  double outside = absent;  // [core-s]
  double cores = absent, elapsed = absent;
  double stretch = 1;  // the longest chunk / what its line expects

  double longest(const Cutting& cut) const { return stretch * cut.longest; }
  double tail(const Cutting& cut) const { return (1 - 1 / cores) * longest(cut); }

  Estimate at(const Cutting& cut) const {
    const double growth = cut.chunks / now.chunks - 1;
    const double inside[] = {cut.inside_line - now.inside_line, cut.inside_flat - now.inside_flat,
                             cut.inside_steep - now.inside_steep};
    const double extra = value_or(outside, 0) * growth;
    const double more_tail = tail(cut) - tail(now);
    // Never sooner than all cores busy with the same work.
    const auto time = [&](double work, double end) {
      return std::max(0.0, elapsed + work / cores + end);
    };
    Estimate found{absent, time(inside[0] + extra / 2, more_tail / 2), absent};
    found.low = found.high = found.mid;
    for (const double work : inside) {
      for (const double outer : {0.0, extra}) {
        for (const double end : {0.0, more_tail}) {
          found.low = std::min(found.low, time(work + outer, end));
          found.high = std::max(found.high, time(work + outer, end));
        }
      }
    }
    return found;
  }
};

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
  std::vector<Population> populations = find_populations(run, chosen);
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    notes.note("selection", note);
  if (populations.empty()) {
    notes.note("missing", run.chunks_recorded ? "no selected chunk has a duration and events"
                                              : missing::chunks);
    return {};
  }
  const double fitted = fit(populations);
  notes.note("fitted", fitted);
  if (fitted < 1) {
    notes.note("basis", std::string(fitted == 0 ? "the chunks of each dataset"
                                                : "the chunks of some datasets") +
                            " hardly differ in size: of their fixed cost only bounds are known, "
                            "nothing and the time of the "
                            "fastest chunks; a run with another chunk size would tell more");
  }

  Model model;
  std::vector<double> sizes;
  double seconds = 0, files = 0;
  for (const Population& p : populations) {
    add(model.now, p, p.chunks, p.largest);
    sizes.insert(sizes.end(), p.sizes.begin(), p.sizes.end());
    seconds += p.seconds;
    files += static_cast<double>(p.file_events.size());
  }
  const double now_events = quantile_of(sizes, 0.5);
  double actual_longest = 0;
  for (const Population& p : populations) {
    for (const double duration : p.durations) actual_longest = std::max(actual_longest, duration);
  }
  if (model.now.longest > 0) model.stretch = actual_longest / model.now.longest;
  // Tasks and the run's length belong to the whole run only.
  if (selection.empty()) {
    model.outside = compute_budget(run, selection, options).of(BudgetPart::Kind::outside_process);
    const Run::Window window = run.window();
    model.elapsed = window.end - window.begin;
  }
  model.cores = find_tail(run, chosen).cores;
  const bool timed = model.cores >= 1 && model.elapsed > 0;
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
                      .inside = seconds + cut.inside_line - model.now.inside_line,
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
      const Cutting cut = cut_at(populations, asked);
      // Files cannot be joined: beyond one chunk per file no size changes anything.
      if (cut.chunks == last_chunks && cut.chunks == files) break;
      last_chunks = cut.chunks;
      put(asked, cut, false);
    }
    size *= root_two;
  }

  double fixed = 0;
  for (const Population& p : populations) fixed += p.line.fixed * p.chunks;
  notes.note("present_events", now_events);
  notes.note("fixed_seconds", fixed / model.now.chunks);
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
                             " instead of " + format_seconds(model.elapsed) +
                             ", but what is known allows " + format_seconds(best.low) + " to " +
                             format_seconds(best.high));
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
      "elapsed", "s", [](const Offer& o) { return o.elapsed.mid; },
      "present + Δ(core-seconds) / cores + half of Δtail");
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
