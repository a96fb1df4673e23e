#include <algorithm>

#include "core/questions/parts/history.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::history_series {

namespace {

Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const auto history = history_of(runs, options);
  Table table;
  Rows<HistorySeries> rows(table, history->series);
  rows.text("id", &HistorySeries::id);
  rows.text("label", &HistorySeries::label);
  rows.text("unit", &HistorySeries::unit);
  rows.text("better", &HistorySeries::better);
  rows.number(
      "changes", "count", [](const HistorySeries& s) { return s.course.changes.size(); },
      "rows of history_levels with a change");
  std::vector<double> values;
  std::vector<double> outliers;
  for (const HistorySeries& series : history->series) {
    values.insert(values.end(), series.values.begin(), series.values.end());
    std::vector<double> flags(series.values.size(), 0);
    for (const std::size_t i : series.course.outliers) flags[i] = 1;
    outliers.insert(outliers.end(), flags.begin(), flags.end());
  }
  const std::size_t width = history->runs.size();
  rows.matrix("values", "as the row's unit", width, std::move(values),
              "of each run in the order of history; seconds per million events, elapsed as of the "
              "last run's events");
  rows.matrix("outliers", "1", width, std::move(outliers),
              "1 = far from the runs before and from those after: in no level");
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "history_series",
    .about = "each number that a history follows, with its values in order of the runs",
    .options = {&chance_option},
    .min_runs = 1,
    .max_runs = any_number,
    .of_digests = true,
    .function = answer,
};

}  // namespace crema::questions::history_series
