#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/facts/chunk_selection.hpp"
#include "core/facts/missing.hpp"
#include "core/facts/report_counts.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::throughput {

namespace {

constexpr Option bins_option{.name = "bins",
                             .type = Option::Type::count,
                             .about = "into how many bins the time is cut",
                             .fallback = "200",
                             .least = 1,
                             .most = 100000};
constexpr Option window_option{
    .name = "window",
    .about = "which time is cut into bins: the whole run, or the selected one",
    .fallback = "run",
    .values = "run, selection"};

/// Integrals over equal bins of quantities that are uniform inside each chunk: exact, no sampling.
struct Bins {
  double begin, width;
  std::vector<double> bytes, events, seconds;

  Bins(double from, double to, std::size_t count)
      : begin(from),
        width((to - from) / static_cast<double>(count)),
        bytes(count, 0),
        events(count, 0),
        seconds(count, 0) {}

  void add(double from, double to, double chunk_bytes, double chunk_events) {
    const double length = to - from;
    if (!(length >= 0)) return;  // no times
    const auto last = static_cast<double>(bytes.size()) - 1;
    const auto first_bin =
        static_cast<std::size_t>(std::clamp(std::floor((from - begin) / width), 0.0, last));
    if (length == 0) {
      if (from < begin || from > begin + width * static_cast<double>(bytes.size())) return;
      bytes[first_bin] += chunk_bytes;
      events[first_bin] += chunk_events;
      return;
    }
    const auto last_bin =
        static_cast<std::size_t>(std::clamp(std::floor((to - begin) / width), 0.0, last));
    for (std::size_t bin = first_bin; bin <= last_bin; ++bin) {
      const double left = begin + static_cast<double>(bin) * width;
      const double overlap = std::min(to, left + width) - std::max(from, left);
      if (!(overlap > 0)) continue;
      seconds[bin] += overlap;
      bytes[bin] += chunk_bytes * (overlap / length);
      events[bin] += chunk_events * (overlap / length);
    }
  }
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const Chunks& c = run.chunks;
  const double count = options.number(bins_option);
  const std::string which = options.text(window_option);

  Run::Window window = run.window();
  if (which == "selection" && selection.time) window = {selection.time->begin, selection.time->end};
  // Which chunks count; the time range itself cuts at the bins' edges, so that it must not also
  // prorate.
  Selection without_time = selection;
  without_time.time.reset();
  const ChunkSelection chosen(run, without_time);

  const bool collected = chunk_bytes_collected(run);
  const double covered =
      collected ? ratio(moments(c.bytes_read).sum, total_bytes_read(run)) : absent;
  const bool has_events =
      std::any_of(c.events.begin(), c.events.end(), [](double e) { return !is_absent(e); });
  Bins bins(window.begin, window.end, static_cast<std::size_t>(count));
  const auto left = [&](std::size_t bin) {
    return bins.begin + static_cast<double>(bin) * bins.width;
  };
  const auto right = [&](std::size_t bin) { return left(bin + 1); };
  std::vector<std::size_t> shown;
  if (run.chunks_recorded && window.end > window.begin) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (chosen[i])
        bins.add(c.t_start[i], c.t_end[i], value_or(c.bytes_read[i], 0), value_or(c.events[i], 0));
    }
    for (std::size_t bin = 0; bin < bins.bytes.size(); ++bin) {
      if (selection.time &&
          (right(bin) <= selection.time->begin || left(bin) >= selection.time->end))
        continue;
      shown.push_back(bin);
    }
  }

  Table table;
  Rows rows(table, shown);
  rows.number("t0", "s", left);
  rows.number("t1", "s", right);
  rows.number(
      "bytes_per_second", "byte/s",
      [&](std::size_t bin) { return collected ? bins.bytes[bin] / bins.width : absent; },
      "chunk bytes_read spread evenly over the chunk's time, integrated over the interval");
  rows.number(
      "events_per_second", "1/s",
      [&](std::size_t bin) { return has_events ? bins.events[bin] / bins.width : absent; },
      "chunk events spread evenly over the chunk's time, integrated over the interval");
  rows.number(
      "chunks_running", "count", [&](std::size_t bin) { return bins.seconds[bin] / bins.width; },
      "chunk-seconds in the interval / its length");
  rows.number(
      "coverage", "1", [&](std::size_t) { return covered; },
      "Σ chunk bytes_read / the report's bytes read");
  if (!run.chunks_recorded) table.note("missing", missing::chunks);
  if (run.chunks_recorded && !collected)
    table.note("bytes",
               "not collected: bytes_read is 0 in every chunk (roastcoffea 0.1.0, or files mapped "
               "into memory)");
  table.note("coverage", covered);
  if (selection.time && which == "run" && table.rows() > 0)
    table.note("edges",
               "intervals at the edges of the selected time are whole: their sum is more than the "
               "selection's");
  if (const std::string note = chunk_selection_note(selection); !note.empty())
    table.note("selection", note);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "throughput",
    .about = "bytes and events per second over time",
    .options = {&bins_option, &window_option},
    .narrowed_by = chunk_dimensions,
    .function = answer,
};

}  // namespace crema::questions::throughput
