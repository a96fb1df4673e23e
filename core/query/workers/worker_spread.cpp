#include <algorithm>
#include <memory>

#include "core/model/worker_selection.hpp"
#include "core/query/parts/worker_notes.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::worker_spread {

namespace {

constexpr Option series_option{.name = "series",
                               .about = "which series of the workers",
                               .fallback = "cpu_share",
                               .values = runtime::worker_series_names};

/// What the values of all (selected) workers come to at each tick.
struct AtTicks {
  std::vector<double> count, total, mean, p10, p90, min, max;
};

// Ticks that are gathered together: the columns of so many fit a cache, whatever the number of
// ticks.
constexpr std::size_t block_ticks = 64;

AtTicks spread_at(const Run& run, const WorkerSeries& what, const WorkerSelection& chosen,
                  TickRange ticks) {
  AtTicks spread;
  std::vector<std::vector<double>> at(block_ticks);
  for (std::size_t begin = ticks.begin; begin < ticks.end; begin += block_ticks) {
    const std::size_t end = std::min(begin + block_ticks, ticks.end);
    for (auto& values : at) values.clear();
    for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
      if (!chosen[worker]) continue;
      const TickSeries& series = what.series(run, worker);
      const std::size_t until = std::min(end, series.end_tick());
      for (std::size_t tick = std::max<std::size_t>(begin, series.first_tick); tick < until;
           ++tick) {
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

struct Kept {
  Recent<std::string, AtTicks> by_series;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const std::string series = options.text(series_option);
  const WorkerSeries what = WorkerSeries::of(options, series_option);
  const WorkerSelection chosen(run, selection);
  const std::string unit(what.unit());

  const TickRange all{0, run.ticks.size()};
  const TickRange ticks = selected_ticks(run, selection);
  // Of all workers it is asked for again and again, one series and one part of the time after the
  // other.
  // The value before the first selected tick holds into the selected time.
  const TickRange made = chosen.all ? all : TickRange{ticks.begin - (ticks.begin > 0), ticks.end};
  const auto make = [&] { return spread_at(run, what, chosen, made); };
  const auto spread = chosen.all ? run.facts.of<Kept>().by_series.of(series, make)
                                 : std::make_shared<const AtTicks>(make());
  Table table;
  Rows<> rows(table, ticks.end - ticks.begin);
  const auto add = [&](const char* name, const std::vector<double>& values, const char* formula) {
    const std::string whole = std::string(what.formula()) + formula;
    rows.number(
        name, unit.c_str(), [&](std::size_t i) { return values[ticks.begin - made.begin + i]; },
        whole.c_str());
  };
  rows.number("t", "s", [&](std::size_t i) { return run.ticks[ticks.begin + i]; });
  rows.number(
      "workers", "count",
      [&](std::size_t i) { return spread->count[ticks.begin - made.begin + i]; },
      "workers with a value at the tick");
  add("total", spread->total, "Σ over workers");
  add("mean", spread->mean, "mean over workers");
  add("p10", spread->p10, "10 % of the workers are below");
  add("p90", spread->p90, "90 % of the workers are below");
  add("min", spread->min, "smallest of the workers");
  add("max", spread->max, "largest of the workers");
  note_worker_series(table, run, selection);
  note_time_mean(table, "mean_of_total", run, selection, made.begin, spread->total);
  note_time_mean(table, "mean_of_mean", run, selection, made.begin, spread->mean);
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

}  // namespace crema::query::worker_spread
