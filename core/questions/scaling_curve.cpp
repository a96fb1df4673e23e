// The fit between the runs and beyond.
#include "core/facts/processor.hpp"
#include "core/facts/scaling_study.hpp"
#include "core/questions/parts/fit_columns.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::scaling_curve {

namespace {

constexpr Option to_option{
    .name = "to",
    .type = Option::Type::number,
    .about = "up to how many cores; twice the largest run where none is given",
    .unit = "count"};
constexpr Option points_option{.name = "points",
                               .type = Option::Type::count,
                               .about = "of how many points",
                               .fallback = "200",
                               .least = 2,
                               .most = 10000};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  const double largest = moments(study.cores).max;
  const double to = value_or(options.number(to_option), 2 * largest);
  const double points = options.number(points_option);
  const bool drawn = to > 1;  // not where no run's cores are known
  const auto cores = [&](std::size_t i) {
    return 1 + (to - 1) * static_cast<double>(i) / (points - 1);
  };
  Table table;
  Rows<> rows(table, drawn ? static_cast<std::size_t>(points) : 0);
  rows.number("cores", "count", cores);
  add_fit_columns(rows, study, cores);
  if (!drawn) return table;
  table.note("largest", largest);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "scaling_curve",
    .about = "the ideal and the fit as curves",
    .options = {&to_option, &points_option, &facts::processor_option, &facts::within_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .min_runs = 1,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::questions::scaling_curve
