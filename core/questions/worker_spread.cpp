#include <algorithm>
#include <memory>

#include "core/facts/missing.hpp"
#include "core/facts/worker_selection.hpp"
#include "core/facts/worker_series.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::worker_spread {

namespace {

constexpr Option series_option{
    .name = "series", .about = "which series of the workers", .fallback = "cpu_share", .values = facts::worker_series_names};

/// What the values of all (selected) workers come to at each tick.
struct AtTicks {
  std::vector<double> count, total, mean, p10, p90, min, max;
};

// Ticks that are gathered together: the columns of so many fit a cache, whatever the number of ticks.
constexpr std::size_t block_ticks = 64;

AtTicks spread_at(const Run& run, const WorkerSeries& what, const WorkerSelection& chosen, TickRange ticks) {
  AtTicks spread;
  std::vector<std::vector<double>> at(block_ticks);
  for (std::size_t begin = ticks.begin; begin < ticks.end; begin += block_ticks) {
    const std::size_t end = std::min(begin + block_ticks, ticks.end);
    for (auto& values : at) values.clear();
    for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
      if (!chosen[worker]) continue;
      const TickSeries& series = what.series(run, worker);
      const std::size_t until = std::min(end, series.end_tick());
      for (std::size_t tick = std::max<std::size_t>(begin, series.first_tick); tick < until; ++tick) {
        const double value = what.value(run, worker, tick - series.first_tick);
        if (!is_absent(value)) at[tick - begin].push_back(value);
      }
    }
    for (std::size_t tick = begin; tick < end; ++tick) {
      std::vector<double>& values = at[tick - begin];
      double sum = 0;
      for (const double value : values) sum += value;
      const auto n = static_cast<double>(values.size());
      spread.count.push_back(n);
      spread.total.push_back(values.empty() ? absent : sum);
      spread.mean.push_back(ratio(sum, n));
      spread.p90.push_back(quantile_of(values, 0.9));
      spread.p10.push_back(quantile_of(values, 0.1));
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      spread.min.push_back(values.empty() ? absent : *least);
      spread.max.push_back(values.empty() ? absent : *most);
    }
  }
  return spread;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string series = options.text(series_option);
  const WorkerSeries what = WorkerSeries::of(options, series_option);
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

  const TickRange all{0, run.ticks.size()};
  const TickRange ticks = selection.time ? ticks_within(run, selection.time->begin, selection.time->end) : all;
  // Of all workers it is asked for again and again, one series and one part of the time after the other.
  const TickRange made = chosen.all ? all : ticks;
  const auto make = [&] { return spread_at(run, what, chosen, made); };
  const auto spread =
      chosen.all ? run.memo.of<AtTicks>("worker spread|" + series, make) : std::make_shared<const AtTicks>(make());
  const auto put = [&](std::size_t column, const std::vector<double>& values, std::size_t first) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(ticks.begin - first);
    table.columns[column].numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(ticks.end - ticks.begin));
  };
  put(t, run.ticks, 0);
  put(workers, spread->count, made.begin);
  put(total, spread->total, made.begin);
  put(mean, spread->mean, made.begin);
  put(p10, spread->p10, made.begin);
  put(p90, spread->p90, made.begin);
  put(min, spread->min, made.begin);
  put(max, spread->max, made.begin);
  if (!run.tracked) table.note("missing", missing::tracking);
  if (!selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() || !selection.prefixes.empty() ||
      !selection.ranges.empty()) {
    table.note("selection", "worker series are not split by dataset, file, host or task: only time and workers narrow them");
  }
  table.note("window_end", run.window().end);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "worker_spread",
    .about = "one series over time: its spread over the workers",
    .options = {&series_option},
    .narrowed_by = worker_dimensions,
    .function = answer,
};

}  // namespace crema::questions::worker_spread
