// Rates on clusters of several sizes: a row per run of the same work, `scaling`; and the fit
// between them and beyond, `scaling_curve`.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"
#include "core/compare/speed_ratio.hpp"
#include "core/predict/scaling.hpp"
#include "core/query/question.hpp"
#include "core/report/prediction_text.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::scaling {

constexpr Option target_option = number_option(
    "target", "a target rate, in the unit of the study: how many cores would reach it", "", {});

/// Rows are runs, by their number in the study.
using Study = ScalingStudy;
const Columns<std::size_t, Study> columns = {
    {"run", as_given,
     [](std::size_t i, const Study& of) -> std::string_view { return of.run[i]->title; }},
    {"number", "", [](std::size_t i, const Study& of) { return of.run[i]->number; },
     "the run's number in this session"},
    {"cores", "count", &Study::cores, "time average"},
    {"rate", "$", &Study::rate,
     "what the study compares: events per second where all runs have them, else bytes"},
    {"event_rate_khz", "kHz", &Study::events, "events / elapsed"},
    {"data_rate_gbps", "Gbps", &Study::bytes, "bytes / elapsed"},
    {"rate_per_core", "$",
     [](std::size_t i, const Study& of) { return ratio(of.rate[i], of.cores[i]); }, "rate / cores"},
    {"efficiency_vs_ideal", "1",
     [](std::size_t i, const Study& of) { return ratio(of.rate[i], of.per_core * of.cores[i]); },
     "rate / ideal"},
    {"ideal", "$", [](std::size_t i, const Study& of) { return of.per_core * of.cores[i]; },
     "rate per core of the smallest run x cores"},
    {"differs", [](std::size_t i, const Study& of) { return difference_text(of.differs[i]); }},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  std::vector<std::size_t> order(study.run.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Unknown sizes last: NaN compares with nothing.
  sort_stably(order, [&](std::size_t x, std::size_t y) {
    return is_absent(study.cores[x]) != is_absent(study.cores[y]) ? is_absent(study.cores[y])
                                                                  : study.cores[x] < study.cores[y];
  });
  Table table = columns.table(order, study, {.unit = study.unit});
  table.note("rate", std::string(study.unit));
  const ScalingVerdict verdict = verdict_of(study, options);
  const ScalingText text = scaling_text(study, verdict);
  table.note("sentence", text.sentence);
  table.note("limits", text.limits);
  table.note("knee", verdict.knee);
  table.note("knee_low", verdict.knee_low);
  table.note("knee_high", verdict.knee_high);
  double best = absent;
  for (const std::size_t i : order) {
    if (!study.differs[i].any() && study.cores[i] > 0 && study.rate[i] > 0)
      best = std::fmax(best, study.rate[i]);
  }
  table.note("best_rate", best);
  if (options.has(target_option)) {
    const double target = options.number(target_option);
    table.note("target", target);
    table.note("target_factor", ratio(target, best));
    table.note("target_cores", cores_for(study, options, target));
  }
  table.note("sizes", static_cast<double>(study.sizes));
  return table;
}

extern const Question question(
    "scaling", "rate against cores for runs on several sizes of cluster, with ideal scaling",
    columns, answer,
    {.options = {&target_option, &runtime::processor_option, &predict::within_option,
                 &run_spread_option},
     .narrowed_by = all_dimensions & ~Selection::by_prefix,
     .run_count = {1, any_number}});

}  // namespace crema::query::scaling

namespace crema::query::scaling_curve {

constexpr Option to_option = number_option(
    "to", "maximum number of cores; default: twice that of the largest run", "", {}, "count");
constexpr Option points_option = count_option("points", "number of points", "200", {2, 10000});

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

  ExpectedRate at(double cores) const {
    const auto next = std::lower_bound(sizes_.begin(), sizes_.end(), cores);
    if (next == sizes_.end()) return {};
    const auto i = static_cast<std::size_t>(next - sizes_.begin());
    if (*next == cores || i == 0) return rates_[i];
    const double part = (cores - sizes_[i - 1]) / (*next - sizes_[i - 1]);
    ExpectedRate between;
    for (const auto which : {&ExpectedRate::likely, &ExpectedRate::low, &ExpectedRate::high})
      between.*which = rates_[i - 1].*which * (1 - part) + rates_[i].*which * part;
    return between;
  }

 private:
  std::vector<double> sizes_;
  std::vector<ExpectedRate> rates_;
};

/// A point of the curves.
struct Point {
  double cores, ideal;
  ExpectedRate expected;
};

const Columns<Point> columns = {
    {"cores", "count", &Point::cores},
    {"ideal", "$", &Point::ideal, "rate per core of the smallest run x cores"},
    {"likely", "$", [](const Point& p) { return p.expected.likely; },
     "work / elapsed, as whatif predicts it; missing where the runs do not tell"},
    {"low", "$", [](const Point& p) { return p.expected.low; }, "work / elapsed_high of whatif"},
    {"high", "$", [](const Point& p) { return p.expected.high; }, "work / elapsed_low of whatif"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const ScalingStudy study = study_of(runs, selection, options);
  const double largest = moments(study.cores).max;
  const double to = value_or(options.number(to_option), 2 * largest);
  const double points = options.number(points_option);
  const bool drawn = to > 1;  // not where no run's cores are known
  // predictions are of whole runs
  const Curve expected(drawn && selection.empty() ? to : 0, study, options);
  std::vector<Point> curve;
  for (double i = 0; drawn && i < points; i += 1) {
    const double cores = 1 + (to - 1) * i / (points - 1);
    curve.push_back({cores, study.per_core * cores, expected.at(cores)});
  }
  Table table = columns.table(curve, {}, {.unit = study.unit});
  if (drawn) table.note("largest", largest);
  return table;
}

extern const Question question("scaling_curve",
                               "curves of ideal scaling and of what the runs let expect", columns,
                               answer,
                               {.options = {&to_option, &points_option, &runtime::processor_option,
                                            &predict::within_option, &run_spread_option},
                                .narrowed_by = all_dimensions & ~Selection::by_prefix,
                                .run_count = {1, any_number}});

}  // namespace crema::query::scaling_curve
