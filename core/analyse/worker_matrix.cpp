#include <algorithm>
#include <cmath>

#include "core/analyse/missing.hpp"
#include "core/analyse/questions.hpp"
#include "core/analyse/worker_selection.hpp"
#include "core/base/error.hpp"

namespace crema {

namespace {

constexpr double most_bins = 10000;

Series series_named(const std::string& name) {
  const auto found = std::find(series_names.begin(), series_names.end(), name);
  if (found != series_names.end()) return static_cast<Series>(found - series_names.begin());
  std::string known;
  for (const std::string_view one : series_names) known += (known.empty() ? "" : ", ") + std::string(one);
  throw Failure(ErrorCode::bad_option, "series=" + name + "; known are " + known);
}

std::string unit_of(Series which) {
  switch (which) {
    case Series::memory:
    case Series::memory_limit:
    case Series::nbytes: return "byte";
    case Series::occupancy:
    case Series::last_seen: return "s";
    case Series::cpu: return "1";
    default: return "count";
  }
}

}  // namespace

Table worker_matrix(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string name = options.text("series", "cpu");
  const Series which = series_named(name);
  const double wanted = options.number("bins", 400);
  if (!(wanted >= 1 && wanted <= most_bins)) throw Failure(ErrorCode::bad_option, "bins is not between 1 and 10000");
  const std::string stat = options.text("stat", "mean");
  if (stat != "mean" && stat != "max") throw Failure(ErrorCode::bad_option, "stat is neither mean nor max");

  const Run::Window window = run.window();
  const double begin = selection.time ? selection.time->begin : window.begin;
  const double end =
      selection.time ? selection.time->end : std::max(value_or(window.end, 0), run.ticks.empty() ? 0 : run.ticks.back());
  const auto bins = static_cast<std::size_t>(wanted);
  const double width = (end - begin) / wanted;

  Table table;
  const auto worker = table.add_text("worker");
  const std::string formula =
      stat == "mean" ? "mean over the bin's time, each tick held until the next" : "largest tick that reaches into the bin";
  const auto block =
      table.add_matrix(name, unit_of(which), bins, which == Series::last_seen ? "tick − last heartbeat; " + formula : formula);
  const WorkerSelection chosen(run, selection);
  std::vector<double> row(bins), covered(bins);
  for (std::size_t i = 0; i < run.workers.size() && end > begin; ++i) {
    if (!chosen[i]) continue;
    table.put(worker, run.text(run.workers.address[i]));
    std::fill(row.begin(), row.end(), absent);
    std::fill(covered.begin(), covered.end(), 0);
    const TickSeries& series = run.workers.of(which, i);
    for (std::size_t k = 0; k < series.values.size(); ++k) {
      const std::size_t tick = series.first_tick + k;
      double value = series.values[k];
      if (is_absent(value)) continue;
      if (which == Series::last_seen && !(value > 0)) continue;  // not heard of yet
      if (which == Series::last_seen) value = run.clock.zero_epoch + run.ticks[tick] - value;
      // A value holds until the next tick; the last one of a worker as long as the tick before.
      const double from = run.ticks[tick];
      const double until = tick + 1 < run.ticks.size() ? run.ticks[tick + 1] : std::max(end, from);
      const double first = std::floor((from - begin) / width);
      const double last = std::ceil((until - begin) / width) - 1;
      for (double b = std::max(first, 0.0); b <= last && b < wanted; b += 1) {
        const auto bin = static_cast<std::size_t>(b);
        const double left = begin + b * width;
        const double overlap = std::min(until, left + width) - std::max(from, left);
        if (!(overlap > 0)) continue;
        if (stat == "max") {
          if (is_absent(row[bin]) || value > row[bin]) row[bin] = value;
        } else {
          row[bin] = value_or(row[bin], 0) + value * overlap;
          covered[bin] += overlap;
        }
      }
    }
    for (std::size_t b = 0; b < bins; ++b) table.put(block, stat == "mean" ? row[b] / covered[b] : row[b]);
  }
  table.note("t0", begin);
  table.note("t1", end);
  if (!run.tracked) table.note("missing", missing::tracking);
  return table;
}

}  // namespace crema
