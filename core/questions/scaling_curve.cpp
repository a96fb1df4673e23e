// The fit between the runs and beyond.
#include "core/facts/scaling_study.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::scaling_curve {

namespace {

constexpr Option to_option{.name = "to",
                           .type = Option::Type::number,
                           .about = "up to how many cores; twice the largest run where none is given",
                           .unit = "count"};
constexpr Option points_option{
    .name = "points", .type = Option::Type::count, .about = "of how many points", .fallback = "200", .least = 2, .most = 10000};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const ScalingStudy study = study_of(runs, selection);
  const double largest = moments(study.cores).max;
  const double to = value_or(options.number(to_option), 2 * largest);
  const double points = options.number(points_option);
  Table table;
  const auto cores = table.add_number("cores", "count");
  const auto ideal = table.add_number("ideal", study.unit, "rate per core of the smallest run x cores");
  const auto fit = table.add_number("fit", study.unit, "Universal Scalability Law, least squares");
  const auto low = table.add_number("fit_low", study.unit, "95 % band");
  const auto high = table.add_number("fit_high", study.unit, "95 % band");
  if (is_absent(to) || !(to > 1)) return table;
  for (int i = 0; i < points; ++i) {
    const double n = 1 + (to - 1) * i / (points - 1);
    const Scalability::Band band = study.law ? study.law->at(n) : Scalability::Band{};
    table.put(cores, n);
    table.put(ideal, study.per_core * n);
    table.put(fit, band.rate);
    table.put(low, band.low);
    table.put(high, band.high);
  }
  table.note("largest", largest);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "scaling_curve",
    .about = "the ideal and the fit as curves",
    .options = {&to_option, &points_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .min_runs = 1,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::questions::scaling_curve
