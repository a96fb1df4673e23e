// What is expected between the runs and beyond.
#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/scaling_study.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::scaling_curve {

namespace {

constexpr Option to_option{
    .name = "to",
    .type = Option::Type::number,
    .about = "maximum number of cores; default: twice that of the largest run",
    .unit = "count"};
constexpr Option points_option{.name = "points",
                               .type = Option::Type::count,
                               .about = "number of points",
                               .fallback = "200",
                               .least = 2,
                               .most = 10000};

/// What the runs let expect at the sizes that were measured and at some between and beyond; in
/// straight lines between those.
class Curve {
 public:
  Curve(double to, const ScalingStudy& study, const Options& options) {
    constexpr double most = 24;  // each is replayed several times
    for (double i = 0; i < most && to > 0; i += 1)
      sizes_.push_back(std::round(to <= most
                                      ? std::min(1 + i, std::ceil(to))
                                      : elementary::exp(elementary::log(to) * i / (most - 1))));
    for (const double cores : study.cores)
      if (cores >= 1 && to > 0) sizes_.push_back(std::round(cores));
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    for (const double size : sizes_) rates_.push_back(expected_rate(study, options, size));
  }

  double at(double cores, double ExpectedRate::*which) const {
    const auto next = std::lower_bound(sizes_.begin(), sizes_.end(), cores);
    if (next == sizes_.end()) return absent;
    const auto i = static_cast<std::size_t>(next - sizes_.begin());
    if (*next == cores || i == 0) return rates_[i].*which;
    const double part = (cores - sizes_[i - 1]) / (*next - sizes_[i - 1]);
    return rates_[i - 1].*which * (1 - part) + rates_[i].*which * part;
  }

 private:
  std::vector<double> sizes_;
  std::vector<ExpectedRate> rates_;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  const double largest = moments(study.cores).max;
  const double to = value_or(options.number(to_option), 2 * largest);
  const double points = options.number(points_option);
  const bool drawn = to > 1;  // not where no run's cores are known
  const auto cores = [&](std::size_t i) {
    return 1 + (to - 1) * static_cast<double>(i) / (points - 1);
  };
  // predictions are of whole runs
  const Curve curve(drawn && selection.empty() ? to : 0, study, options);
  Table table;
  Rows<> rows(table, drawn ? static_cast<std::size_t>(points) : 0);
  rows.number("cores", "count", cores);
  rows.number(
      "ideal", study.unit, [&](std::size_t i) { return study.per_core * cores(i); },
      "rate per core of the smallest run x cores");
  const auto expected = [&](double ExpectedRate::*which) {
    return [&curve, cores, which](std::size_t i) { return curve.at(cores(i), which); };
  };
  rows.number("likely", study.unit, expected(&ExpectedRate::likely),
              "work / elapsed, as whatif predicts it; missing where the runs do not tell");
  rows.number("low", study.unit, expected(&ExpectedRate::low), "work / elapsed_high of whatif");
  rows.number("high", study.unit, expected(&ExpectedRate::high), "work / elapsed_low of whatif");
  if (!drawn) return table;
  table.note("largest", largest);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "scaling_curve",
    .about = "curves of ideal scaling and of what the runs let expect",
    .options = {&to_option, &points_option, &runtime::processor_option, &predict::within_option,
                &run_spread_option},
    .narrowed_by = all_dimensions & ~Selection::by_prefix,
    .min_runs = 1,
    .max_runs = any_number,
    .function = answer,
};

}  // namespace crema::query::scaling_curve
