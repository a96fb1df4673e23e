#include <algorithm>

#include "core/base/order.hpp"
#include "core/query/question.hpp"
#include "core/runtime/chunks.hpp"

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
  const bool has_events = any_of(c.events, [](double e) { return !is_absent(e); });
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
  note_chunk_selection(table, run, selection);
  if (are_of_all_workers(run, selection)) table.note("of_all_workers", 1);
  return table;
}

extern const Question question("throughput", "bytes and events per second over time", columns,
                               answer,
                               {.options = {&bins_option, &window_option},
                                .narrowed_by = chunk_dimensions});

}  // namespace crema::query::throughput

// Chunks in process() over time: `concurrency`.
namespace crema::query::concurrency {

constexpr Option bins_option = time_bins_option();
constexpr Option by_option = choice_option("by", "what the chunks are grouped by",
                                           "dataset, file, host, site, compression", "dataset");
constexpr Option most_option =
    count_option("most", "maximum number of groups; the others are merged; 0 = all", "200", {0});

/// What the chunks of a row come to in each bin.
struct Row {
  std::string_view name;
  const char* kind = "group";  ///< or "others": the smallest together, which no name stands for
  std::vector<double> running, bytes;
};

const Columns<Row> columns = {
    {OneOf{by_option.values}, as_given, &Row::name},
    {"kind", &Row::kind},
    {"chunks_running", "count", &Row::running, "chunk-seconds in the bin / its length"},
    {"bytes_per_second", "byte/s", &Row::bytes,
     "chunk bytes_read spread evenly over the chunk's time, integrated over the bin"},
};

/// The row of each group: the `most` largest have their own, all others share one. Groups
/// without time in the bins have none.
static std::vector<std::uint32_t> rows_of(const std::vector<double>& seconds, std::size_t most,
                                          std::vector<Row>& rows, const ChunkGroups& groups) {
  constexpr std::uint32_t none = 0xffffffffU;
  std::vector<std::uint32_t> order = most_first(seconds);
  std::erase_if(order, [&](std::uint32_t group) { return seconds[group] < 0; });
  const std::size_t own = most == 0 || order.size() <= most ? order.size() : most - 1;
  std::vector<std::uint32_t> row(groups.size(), none);
  for (std::size_t k = own; k < order.size(); ++k) row[order[k]] = static_cast<std::uint32_t>(own);
  // By name, so that rows keep their order under any selection.
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(own));
  for (std::size_t k = 0; k < own; ++k) {
    row[order[k]] = static_cast<std::uint32_t>(k);
    rows.push_back({groups.name[order[k]], "group", {}, {}});
  }
  if (own < order.size()) rows.push_back({"others", "others", {}, {}});
  return row;
}

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Chunks& c = run.chunks;
  const bool collected = chunk_bytes_collected(run);
  const Run::Window window = selected_window(run, selection);
  const TimeBins bins{window.begin, window.end,
                      static_cast<std::size_t>(options.number(bins_option))};

  // The time range is the axis here: it must not also prorate.
  const ChunkSelection chosen(run, selection.without_time());
  const ChunkGroups& groups = chunk_groups(run, options.choice<ChunkKey>(by_option));
  // Seconds of each group first: only rows that are shown have bins, however many groups there are.
  std::vector<double> seconds(groups.size(), -1);  // of groups that have none
  for (std::size_t i = 0; i < c.size() && bins.end > bins.begin; ++i) {
    if (!chosen[i] || is_absent(c.t_start[i])) continue;
    const double within = std::min(c.t_end[i], bins.end) - std::max(c.t_start[i], bins.begin);
    double& sum = seconds[groups.of[i]];
    sum = std::max(0.0, sum) + std::max(0.0, value_or(within, 0));
  }
  std::vector<Row> rows;
  const std::vector<std::uint32_t> row =
      rows_of(seconds, static_cast<std::size_t>(options.number(most_option)), rows, groups);
  for (Row& one : rows) {
    one.running.assign(bins.count, 0);
    one.bytes.assign(bins.count, collected ? 0 : absent);
  }
  for (const std::uint32_t i : groups.chunk) {
    if (seconds[groups.of[i]] < 0 || !chosen[i] || is_absent(c.t_start[i])) continue;
    Row& one = rows[row[groups.of[i]]];
    const double rate = value_or(c.bytes_read[i] / (c.t_end[i] - c.t_start[i]), 0);
    bins.each_overlap(c.t_start[i], c.t_end[i], [&](std::size_t bin, double overlap) {
      one.running[bin] += overlap / bins.width();
      one.bytes[bin] += rate * overlap / bins.width();
    });
  }

  Table table = columns.table(rows, {}, {.name = options.text(by_option), .width = bins.count});
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  note_chunks(table, run, selection);
  return table;
}

extern const Question question(
    "concurrency", "chunks inside process() and what they read over time, by dataset, host or file",
    columns, answer,
    {.options = {&bins_option, &by_option, &most_option}, .narrowed_by = chunk_dimensions});

}  // namespace crema::query::concurrency
