#include <algorithm>

#include "core/analyse/missing.hpp"
#include "core/analyse/questions.hpp"
#include "core/analyse/worker_selection.hpp"
#include "core/analyse/worker_series.hpp"

namespace crema {

namespace {

/// Quantile by linear interpolation between closest ranks, as `quantile` in base/numbers, of unsorted values (which it reorders).
double quantile_of(std::span<double> values, double q) {
  if (values.empty()) return absent;
  const double place = q * static_cast<double>(values.size() - 1);
  const auto lower = static_cast<std::size_t>(place);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(lower);
  std::nth_element(values.begin(), nth, values.end());
  const double low = *nth;
  const double share = place - static_cast<double>(lower);
  if (share == 0 || lower + 1 == values.size()) return low;
  return low + share * (*std::min_element(nth + 1, values.end()) - low);
}

// Ticks that are gathered together: the columns of so many fit a cache, whatever the number of ticks.
constexpr std::size_t block_ticks = 64;

}  // namespace

Table worker_spread(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const WorkerSeries what = WorkerSeries::named(options.text("series", "cpu_share"));
  const WorkerSelection chosen(run, selection);
  const std::string unit(what.unit());

  Table table;
  const auto t = table.add_number("t", "s");
  const auto workers = table.add_number("workers", "count", "workers with a value at the tick");
  const auto total = table.add_number("total", unit, std::string(what.formula()) + "Σ over workers");
  const auto mean = table.add_number("mean", unit, std::string(what.formula()) + "mean over workers");
  const auto p10 = table.add_number("p10", unit, std::string(what.formula()) + "10 % of the workers are below");
  const auto p90 = table.add_number("p90", unit, std::string(what.formula()) + "90 % of the workers are below");
  const auto min = table.add_number("min", unit, std::string(what.formula()) + "smallest of the workers");
  const auto max = table.add_number("max", unit, std::string(what.formula()) + "largest of the workers");

  std::vector<std::vector<double>> at(block_ticks);
  for (std::size_t begin = 0; begin < run.ticks.size(); begin += block_ticks) {
    const std::size_t end = std::min(begin + block_ticks, run.ticks.size());
    for (auto& values : at) values.clear();
    for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
      if (!chosen[worker]) continue;
      const TickSeries& series = what.series(run, worker);
      const std::size_t from = std::max<std::size_t>(begin, series.first_tick);
      for (std::size_t tick = from; tick < std::min(end, series.end_tick()); ++tick) {
        const double value = what.value(run, worker, tick - series.first_tick);
        if (!is_absent(value)) at[tick - begin].push_back(value);
      }
    }
    for (std::size_t tick = begin; tick < end; ++tick) {
      if (selection.time && (run.ticks[tick] < selection.time->begin || run.ticks[tick] > selection.time->end)) continue;
      std::vector<double>& values = at[tick - begin];
      const Moments all = moments(values);
      table.put(t, run.ticks[tick]);
      table.put(workers, static_cast<double>(values.size()));
      table.put(total, values.empty() ? absent : all.sum);
      table.put(mean, all.mean);
      table.put(p10, quantile_of(values, 0.1));
      table.put(p90, quantile_of(values, 0.9));
      table.put(min, all.min);
      table.put(max, all.max);
    }
  }
  if (!run.tracked) table.note("missing", missing::tracking);
  if (!selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() || !selection.prefixes.empty() ||
      !selection.ranges.empty()) {
    table.note("selection", "worker series are not split by dataset, file, host or task: only time and workers narrow them");
  }
  table.note("window_end", run.window().end);
  return table;
}

}  // namespace crema
