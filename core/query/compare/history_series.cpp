#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/table/rows.hpp"

namespace crema::query::history_series {

namespace {

Table answer(std::span<const Run* const> runs, const Selection&, const Options&) {
  const auto season = season_of(runs);
  Table table;
  Rows<SeasonSeries> rows(table, season->series);
  rows.text("id", &SeasonSeries::id);
  rows.text("label", &SeasonSeries::label);
  rows.text("unit", &SeasonSeries::unit);
  rows.text("better", &SeasonSeries::better);
  rows.text("basis", &SeasonSeries::basis);
  std::vector<double> values;
  std::vector<double> outliers;
  const std::size_t width = season->runs.size();
  for (const SeasonSeries& series : season->series) {
    values.insert(values.end(), series.values.begin(), series.values.end());
    std::vector<double> flags(width, 0);
    for (std::size_t s = 0; s < series.courses.size(); ++s) {
      for (const std::size_t i : series.courses[s].outliers()) flags[series.begins[s] + i] = 1;
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
