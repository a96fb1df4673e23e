// One series of the workers over time: `worker_spread`.
#include <algorithm>
#include <memory>

#include "core/model/worker_selection.hpp"
#include "core/query/notes.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::worker_spread {

constexpr Option series_option = choice_option("series", "which series of the workers",
                                               runtime::worker_series_names, "cpu_share");

/// What the values of all (selected) workers come to at each tick.
struct AtTicks {
  std::vector<double> count, total, mean, p10, p90, min, max;
};

// Ticks that are gathered together: the columns of so many fit a cache, whatever the number of
// ticks.
constexpr std::size_t block_ticks = 64;

static AtTicks spread_at(const Run& run, const WorkerSeries& what, const WorkerSelection& chosen,
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

/// Rows are ticks from `first` on; in what was made of them they begin at `offset`.
struct Of {
  const Run& run;
  const AtTicks& spread;
  std::size_t first, offset;
};

template <std::vector<double> AtTicks::*of>
constexpr auto at = [](std::size_t i, const Of& all) { return (all.spread.*of)[all.offset + i]; };

const Columns<std::size_t, Of> columns = {
    {"t", "s", [](std::size_t i, const Of& of) { return of.run.ticks[of.first + i]; }},
    {"workers", "count", at<&AtTicks::count>, "workers with a value at the tick"},
    {"total", "$", at<&AtTicks::total>, "$Σ over workers"},
    {"mean", "$", at<&AtTicks::mean>, "$mean over workers"},
    {"p10", "$", at<&AtTicks::p10>, "$10 % of the workers are below"},
    {"p90", "$", at<&AtTicks::p90>, "$90 % of the workers are below"},
    {"min", "$", at<&AtTicks::min>, "$smallest of the workers"},
    {"max", "$", at<&AtTicks::max>, "$largest of the workers"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const std::string series = options.text(series_option);
  const WorkerSeries what = WorkerSeries::of(options, series_option);
  const WorkerSelection chosen(run, selection);

  const TickRange all{0, run.ticks.size()};
  const TickRange ticks = selected_ticks(run, selection);
  // Of all workers it is asked for again and again, one series and one part of the time after the
  // other.
  // The value before the first selected tick holds into the selected time.
  const TickRange made = chosen.all ? all : TickRange{ticks.begin - (ticks.begin > 0), ticks.end};
  const auto make = [&] { return spread_at(run, what, chosen, made); };
  const auto spread = chosen.all ? run.facts.of<Kept>().by_series.of(series, make)
                                 : std::make_shared<const AtTicks>(make());
  Table table =
      columns.table(ticks.end - ticks.begin, {run, *spread, ticks.begin, ticks.begin - made.begin},
                    {.unit = what.unit(), .formula = what.formula()});
  note_worker_series(table, run, selection);
  note_time_mean(table, "mean_of_total", run, selection, made.begin, spread->total);
  note_time_mean(table, "mean_of_mean", run, selection, made.begin, spread->mean);
  return table;
}

extern const Question question("worker_spread", "one series over time: its spread over the workers",
                               columns, answer,
                               {.options = {&series_option}, .narrowed_by = worker_dimensions});

}  // namespace crema::query::worker_spread
