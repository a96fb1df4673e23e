// Rules on the last of several runs, against the level of the others since their last change.
#include "core/base/elementary.hpp"
#include "core/compare/gate.hpp"
#include "core/stats/p_value.hpp"

namespace crema::compare {

using namespace stats;

namespace {

/// Runs since the last change, without outliers, as one number, and what the candidate's is beside.
struct Held {
  const HistorySeries* series;
  std::size_t runs = 0;
  double level = absent;
  double candidate = absent;
  double error = absent;    ///< of one more run against them, in the unit of the series
  double p_value = absent;  ///< that one more run is so far off
};

Held held(const HistorySeries& series, std::size_t candidate, double p_value) {
  Held one{&series};
  one.candidate = series.values[candidate];
  // Runs of other work say nothing of it.
  const auto [begin, end] = series.stretch_of(candidate);
  std::vector<double> before(series.values.begin() + static_cast<std::ptrdiff_t>(begin),
                             series.values.begin() + static_cast<std::ptrdiff_t>(end));
  before[candidate - begin] = absent;
  const Segmentation segmentation = segmentation_of(before, p_value);
  if (segmentation.levels.empty()) return one;
  const Moments& of = segmentation.last;
  one.runs = of.count;
  one.level = segmentation.relative ? elementary::exp(of.mean) : of.mean;
  // A slope says where the next one would be.
  if (of.count < least_level || is_absent(one.candidate)) return one;
  const double count = static_cast<double>(of.count);
  const double least = segmentation.relative ? least_step / 2 : 0;
  const double error = std::max(of.std, least) * std::sqrt(1 + 1 / count);
  const bool is_log = segmentation.relative && one.candidate > 0;
  const double off = (is_log ? elementary::log(one.candidate) : one.candidate) - of.mean;
  one.error = error * (segmentation.relative ? one.level : 1);
  one.p_value = stats::p_value(off / error, count - 1);
  return one;
}

bool is_about(const GateRule& rule, const HistorySeries& series) {
  return rule.subject == "all" || rule.subject == series.id ||
         series.id.starts_with(rule.subject + ".");
}

using Outcome = GateResult::Outcome;

GateResult result_of(const GateRule& rule, std::size_t number, const Held& of) {
  GateResult result;
  result.of_history = true;
  result.rule = number;
  result.subject = of.series->id == rule.subject ? "" : of.series->id;
  result.id = of.series->id;
  result.unit = of.series->unit;
  result.baseline = of.level;
  result.candidate = of.candidate;
  result.noise = of.error;
  result.p_value = of.p_value;
  if (is_absent(of.candidate)) result.outcome = Outcome::missing_in_candidate;
  else if (of.runs < least_level) result.outcome = Outcome::too_few_runs;
  result.runs = of.runs;
  return result;
}

void decide(GateResult& result, const GateRule& rule, const Held& of, bool is_significant) {
  if (is_absent(of.candidate) || of.runs < least_level) return;
  if (!rule.is_about_verdict()) {
    result.limit = limit_of(rule, result.id, result.unit, result.baseline);
    result.state = rule.must(result.candidate, result.limit) ? GateState::kept : GateState::broken;
    return;
  }
  const bool lower_is_better = of.series->better == "lower";
  const double worse_by = (of.candidate - of.level) * (lower_is_better ? 1 : -1);
  const double margin = margin_of(rule, result.id, result.unit, result.baseline);
  result.outcome = !is_significant     ? Outcome::within_noise
                   : worse_by <= 0     ? Outcome::better
                   : worse_by > margin ? Outcome::worse
                                       : Outcome::worse_within_margin;
  result.state = result.outcome == Outcome::worse ? GateState::broken : GateState::kept;
  const double errors =
      stats::errors_of_p_value(2 * false_discovery_rate, static_cast<double>(of.runs) - 1);
  if (result.state == GateState::broken || !(margin > 0) || worse_by + errors * of.error <= margin)
    return;
  result.state = GateState::undecided;
  result.outcome = Outcome::margin_within_noise;
}

}  // namespace

Gate check_history(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const auto run_history = run_history_of(runs);
  Gate gate{.rules = parse_gate_rules(options.text(history_rules_option)), .runs_of_a = 0};
  for (const Run* run : runs) gate.titles.push_back(run->title);
  const auto candidate = static_cast<std::size_t>(
      std::find(run_history->runs.begin(), run_history->runs.end(), runs.back()) -
      run_history->runs.begin());
  gate.conditions = {{.reason = GateReason::no_rules, .state = met(!gate.rules.empty())},
                     {.reason = GateReason::other_work,
                      .state = met(run_history->is_compared(candidate)),
                      .other_work = run_history->left_out[candidate]}};
  for (std::size_t i = 0; i < gate.rules.size(); ++i) {
    const GateRule& rule = gate.rules[i];
    std::vector<Held> checked;
    std::vector<double> p_values;
    std::vector<std::string_view> known = {"all"};
    for (const HistorySeries& series : run_history->series) {
      known.push_back(series.id);
      if (!is_about(rule, series)) continue;
      if (rule.is_about_verdict() && series.better.empty()) continue;
      checked.push_back(held(series, candidate, options.number(p_value_option)));
      p_values.push_back(rule.is_about_verdict() ? checked.back().p_value : absent);
    }
    if (checked.empty())
      throw Failure(ErrorCode::bad_option,
                    "rules: the history has no number " + not_among(rule.subject, known));
    // A rule is tested for itself: what another rule asks is another question.
    const std::vector<bool> is_significant = stats::benjamini_hochberg(p_values);
    for (std::size_t n = 0; n < checked.size(); ++n) {
      gate.results.push_back(result_of(rule, i, checked[n]));
      decide(gate.results.back(), rule, checked[n], is_significant[n]);
    }
  }
  return gate;
}

}  // namespace crema::compare
