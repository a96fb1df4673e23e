#include <algorithm>
#include <cmath>

#include "core/query/notes.hpp"
#include "core/query/options.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::throughput {

constexpr Option bins_option = time_bins_option("200", 100000);
constexpr Option window_option = choice_option(
    "window", "the time that is binned: the whole run or the selection", "run, selection", "run");

/// Integrals over equal bins of quantities that are uniform inside each chunk: exact, no sampling.
struct Integrals {
  TimeBins bins;
  std::vector<double> bytes, events, seconds;

  explicit Integrals(TimeBins over)
      : bins(over), bytes(over.count, 0), events(over.count, 0), seconds(over.count, 0) {}

  void add(double from, double to, double chunk_bytes, double chunk_events) {
    const double length = to - from;
    if (length == 0 && from >= bins.begin && from <= bins.left(bins.count)) {
      const double place = std::floor((from - bins.begin) / bins.width());
      const auto bin =
          static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins.count) - 1));
      bytes[bin] += chunk_bytes;
      events[bin] += chunk_events;
    }
    if (!(length > 0)) return;  // no times
    bins.each_overlap(from, to, [&](std::size_t bin, double overlap) {
      seconds[bin] += overlap;
      bytes[bin] += chunk_bytes * (overlap / length);
      events[bin] += chunk_events * (overlap / length);
    });
  }
};

/// What all intervals have in common.
struct Of {
  const Integrals& sums;
  bool collected, has_events;
  double covered;
  double events = 0;              ///< of all intervals that are shown
  std::vector<double> done = {};  ///< of those up to each

  double per_second(double sum) const { return sum / sums.bins.width(); }
};

const Columns<std::size_t, Of> columns = {
    {"t0", "s", [](std::size_t bin, const Of& of) { return of.sums.bins.left(bin); }},
    {"t1", "s", [](std::size_t bin, const Of& of) { return of.sums.bins.left(bin + 1); }},
    {"bytes_per_second", "byte/s",
     [](std::size_t bin, const Of& of) {
       return of.collected ? of.per_second(of.sums.bytes[bin]) : absent;
     },
     "chunk bytes_read spread evenly over the chunk's time, integrated over the interval"},
    {"events_per_second", "1/s",
     [](std::size_t bin, const Of& of) {
       return of.has_events ? of.per_second(of.sums.events[bin]) : absent;
     },
     "chunk events spread evenly over the chunk's time, integrated over the interval"},
    {"chunks_running", "count",
     [](std::size_t bin, const Of& of) { return of.per_second(of.sums.seconds[bin]); },
     "chunk-seconds in the interval / its length"},
    {"events_done", "1",
     [](std::size_t bin, const Of& of) { return ratio(of.done[bin], of.events); },
     "events from the first interval to the end of this one / events of all of them"},
    {"coverage", "1", [](std::size_t, const Of& of) { return of.covered; },
     "Σ chunk bytes_read / the report's bytes read"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const std::string which = options.text(window_option);

  Run::Window window = run.window();
  if (which == "selection" && selection.time) window = {selection.time->begin, selection.time->end};
  // Which chunks count; the time range itself cuts at the bins' edges, so that it must not also
  // prorate.
  const ChunkSelection chosen(run, selection.without_time());

  const bool collected = chunk_bytes_collected(run);
  const double covered =
      collected ? ratio(moments(c.bytes_read).sum, total_bytes_read(run)) : absent;
  const bool has_events =
      std::any_of(c.events.begin(), c.events.end(), [](double e) { return !is_absent(e); });
  const TimeBins bins{window.begin, window.end,
                      static_cast<std::size_t>(options.number(bins_option))};
  Integrals sums(bins);
  std::vector<std::size_t> shown;
  if (run.chunks_recorded && window.end > window.begin) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (chosen[i])
        sums.add(c.t_start[i], c.t_end[i], value_or(c.bytes_read[i], 0), value_or(c.events[i], 0));
    }
    for (std::size_t bin = 0; bin < bins.count; ++bin) {
      if (selection.time &&
          (bins.left(bin + 1) <= selection.time->begin || bins.left(bin) >= selection.time->end))
        continue;
      shown.push_back(bin);
    }
  }

  // Running sums, for who puts two runs over each other by how far they had come.
  Of of{sums, collected, has_events, covered};
  of.done.resize(bins.count, 0);
  for (const std::size_t bin : shown) of.done[bin] = of.events += sums.events[bin];

  Table table = columns.table(shown, of);
  if (!run.chunks_recorded) say(table, notes::no_chunks);
  if (run.chunks_recorded && !collected) say(table, notes::bytes_not_collected);
  table.note("coverage", covered);
  if (selection.time && which == "run" && table.rows() > 0) say(table, notes::edges_are_whole);
  note_chunk_selection(table, selection);
  return table;
}

extern const Question question("throughput", "bytes and events per second over time", columns,
                               answer,
                               {.options = {&bins_option, &window_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::throughput
