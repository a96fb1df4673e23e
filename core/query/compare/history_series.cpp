#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::history_series {

namespace {

Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const auto run_history = run_history_of(runs);
  Table table;
  Rows<HistorySeries> rows(table, run_history->series);
  rows.text("id", &HistorySeries::id);
  rows.text("label", &HistorySeries::label);
  rows.text("unit", &HistorySeries::unit);
  rows.text("better", &HistorySeries::better);
  rows.text("basis", &HistorySeries::basis);
  std::vector<double> values;
  std::vector<double> outliers;
  const std::size_t width = run_history->runs.size();
  for (const HistorySeries& series : run_history->series) {
    values.insert(values.end(), series.values.begin(), series.values.end());
    std::vector<double> flags(width, 0);
    for (std::size_t s = 0; s < series.detectors.size(); ++s) {
      for (const std::size_t i : series.detectors[s].outliers()) flags[series.begins[s] + i] = 1;
    }
    outliers.insert(outliers.end(), flags.begin(), flags.end());
  }
  rows.matrix("values", "as the row's unit", width, std::move(values),
              "of each run in the order of history; seconds as the basis says");
  rows.matrix("outliers", "1", width, std::move(outliers),
              "1 = far from the runs before and from those after: in no level");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "history_series",
    .about = "each number of a history, with its value in each run",
    .min_runs = 1,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::query::history_series
