// A heat map of the workers: `worker_matrix`.
#include <algorithm>

#include "core/base/order.hpp"
#include "core/query/question.hpp"

namespace crema::query::worker_matrix {

constexpr Option series_option =
    choice_option("series", "which series of the workers", runtime::worker_series_names, "cpu");
constexpr Option bins_option = time_bins_option();
constexpr Option stat_option = choice_option(
    "stat", "how values within a bin are combined; tick = no bins, one value per tick",
    "mean, min, max, tick", "mean");
constexpr Option rows_option = count_option(
    "rows", "maximum number of rows, each of several workers; 0 = one row per worker", "0", {0});
constexpr Option rows_stat_option =
    choice_option("rows_stat", "how the workers of one row are combined", "mean, min, max", "mean");
constexpr Option sort_option = choice_option("sort", "order of the workers; default: as recorded",
                                             "first_seen, mean, peak, name, host");

enum class Stat : std::uint8_t { mean, min, max, tick };

/// A row: how the values that reach into each of its bins become one number.
class Cells {
 public:
  Cells(Stat stat, std::size_t count) : stat_(stat), cells_(count, absent), covered_(count, 0) {}

  /// Takes a value into a cell: the worst so far, or a sum, `covered_` being of so much.
  void take(std::size_t bin, double value, double weight) {
    if (is_absent(value)) return;
    double& cell = cells_[bin];
    if (is_mean()) {
      cell = value_or(cell, 0) + value * weight;
      covered_[bin] += weight;
    } else if (is_absent(cell) || (stat_ == Stat::max ? value > cell : value < cell)) {
      cell = value;
    }
  }

  std::vector<double> made() && {
    for (std::size_t bin = 0; is_mean() && bin < cells_.size(); ++bin)
      cells_[bin] = ratio(cells_[bin], covered_[bin]);
    return std::move(cells_);
  }

 private:
  bool is_mean() const { return stat_ == Stat::mean || stat_ == Stat::tick; }

  Stat stat_;
  std::vector<double> cells_, covered_;
};

/// How much of a tick's time lies in a bin: the same for all workers.
struct Part {
  std::size_t tick, bin;
  double seconds;
};

/// In order of the ticks. A value holds until the next tick, the last one of the run to the end.
static std::vector<Part> parts_of(const Run& run, const TimeBins& bins) {
  std::vector<Part> parts;
  for (std::size_t tick = 0; tick < run.ticks.size(); ++tick) {
    const double from = run.ticks[tick];
    const double until =
        tick + 1 < run.ticks.size() ? run.ticks[tick + 1] : std::max(bins.end, from);
    bins.each_overlap(from, until, [&](std::size_t bin, double seconds) {
      parts.push_back({tick, bin, seconds});
    });
  }
  return parts;
}

/// What the worker's values hold over time in the bins; absent bins where there is none.
static std::vector<double> bins_of(const Run& run, const WorkerSeries& what, std::size_t worker,
                                   const std::vector<Part>& parts, Cells cells) {
  const TickSeries& series = what.series(run, worker);
  auto part = std::lower_bound(parts.begin(), parts.end(), series.first_tick,
                               [](const Part& p, std::size_t tick) { return p.tick < tick; });
  for (; part != parts.end() && part->tick < series.end_tick(); ++part)
    cells.take(part->bin, what.value(run, worker, part->tick - series.first_tick), part->seconds);
  return std::move(cells).made();
}

/// Sorts `workers` (worker numbers, ascending) by that key; equal ones keep their order.
static void sort_workers(const Run& run, const WorkerSeries& what, const std::string& by,
                         std::vector<std::size_t>& workers) {
  const Workers& w = run.workers;
  const bool by_text = by == "name" || by == "host";
  const bool by_level = by == "mean" || by == "peak";
  if (!by_text && !by_level && by != "first_seen") return;
  std::vector<double> numbers(w.size(), 0);
  std::vector<std::string_view> texts(w.size());
  for (const std::size_t i : workers) {
    if (by_text) {
      const StringId id = by == "host" ? w.host[i] : w.name[i];
      texts[i] = run.text(id == no_string ? w.address[i] : id);
    } else if (by_level) {
      // Of the whole run, so that rows keep their order when time is zoomed. Largest first, those
      // without any last.
      const Moments level = what.moments(run, i, {0, run.ticks.size()});
      numbers[i] = -value_or(by == "mean" ? level.mean : level.max,
                             -std::numeric_limits<double>::infinity());
    } else {
      numbers[i] = static_cast<double>(ticks_of(w, i).begin);
    }
  }
  sort_stably(workers, [&](std::size_t a, std::size_t b) {
    return by_text ? texts[a] < texts[b] : numbers[a] < numbers[b];
  });
}

/// A worker, or several that share the row of the first of them.
struct Row {
  std::string_view worker;
  std::size_t workers;
  std::vector<double> cells;
};

const Columns<Row> columns = {
    {"worker", &Row::worker},
    {OneOf{series_option.values}, "$", &Row::cells, "$"},
    {"workers", "count", &Row::workers, "workers that share the row"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const WorkerSeries what = WorkerSeries::of(options, series_option);
  const double most_rows = options.number(rows_option);
  const auto across = options.choice<Stat>(rows_stat_option);

  const auto stat = options.choice<Stat>(stat_option);
  const Run::Window window = selected_window(run, selection);
  TimeBins bins{.begin = window.begin,
                .end = selection.time ? selection.time->end
                                      : std::max(value_or(window.end, 0),
                                                 run.ticks.empty() ? 0 : run.ticks.back()),
                .count = static_cast<std::size_t>(options.number(bins_option))};
  std::vector<Part> parts;
  const TickRange ticks = ticks_within(run, bins.begin, bins.end);
  if (stat == Stat::tick) {
    bins.count = ticks.end - ticks.begin;
    for (std::size_t tick = ticks.begin; tick < ticks.end; ++tick)
      parts.push_back({tick, tick - ticks.begin, 1});
  } else {
    parts = parts_of(run, bins);
  }

  const WorkerSelection chosen(run, selection);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.workers.size() && bins.end > bins.begin; ++i) {
    if (chosen[i]) order.push_back(i);
  }
  sort_workers(run, what, options.text(sort_option), order);
  const std::size_t row_count =
      most_rows > 0 ? std::min(order.size(), static_cast<std::size_t>(std::max(1.0, most_rows)))
                    : order.size();

  const auto first_of = [&](std::size_t row) { return row * order.size() / row_count; };
  const char* const time_formulas[] = {"mean over the bin's time, each tick held until the next",
                                       "smallest tick that reaches into the bin",
                                       "largest tick that reaches into the bin",
                                       "the value at each tick (the rows of `timeline`)"};
  const char* const row_formulas[] = {"; mean of the row's workers",
                                      "; smallest of the row's workers",
                                      "; largest of the row's workers"};
  std::string formula = std::string(what.formula()) + time_formulas[static_cast<std::size_t>(stat)];
  if (row_count < order.size()) formula += row_formulas[static_cast<std::size_t>(across)];
  std::vector<Row> shown;
  for (std::size_t r = 0; r < row_count; ++r) {
    const std::size_t from = first_of(r), until = first_of(r + 1);
    Cells merged(across, bins.count);
    for (std::size_t i = from; i < until; ++i) {
      const std::vector<double> row = bins_of(run, what, order[i], parts, Cells(stat, bins.count));
      for (std::size_t bin = 0; bin < bins.count; ++bin) merged.take(bin, row[bin], 1);
    }
    shown.push_back(
        {run.text(run.workers.address[order[from]]), until - from, std::move(merged).made()});
  }
  Table table = columns.table(shown, {},
                              {.name = options.text(series_option),
                               .unit = what.unit(),
                               .formula = formula,
                               .width = bins.count});
  table.note("t0", bins.begin);
  table.note("t1", bins.end);
  if (stat == Stat::tick) table.note("first_tick", static_cast<double>(ticks.begin));
  if (!run.tracked && run.ticks.empty()) say(table, notes::no_tracking);
  return table;
}

extern const Question question("worker_matrix", "one series of every worker over time, in bins",
                               columns, answer,
                               {.options = {&series_option, &bins_option, &stat_option,
                                            &rows_option, &rows_stat_option, &sort_option},
                                .narrowed_by = worker_dimensions});

}  // namespace crema::query::worker_matrix

// One series of the workers over time: `worker_spread`.
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
  const auto spread = chosen.all ? run.facts.of<Recent<std::string, AtTicks>>().of(series, make)
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
