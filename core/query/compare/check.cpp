// Rules on runs, for gates in continuous integration: on two sides, `check`; on the last run
// against those since the last change, `check_history`.
#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/error.hpp"
#include "core/base/nearest.hpp"
#include "core/compare/gate.hpp"
#include "core/query/parts/comparison.hpp"
#include "core/query/parts/history.hpp"
#include "core/query/question.hpp"
#include "core/report/gate_text.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/benjamini_hochberg.hpp"
#include "core/stats/p_value.hpp"

namespace crema::query::check {

/// A row of the answer: a condition, or a rule on one number.
struct Line {
  const GateCondition* condition = nullptr;
  const GateResult* result = nullptr;

  GateState state() const { return condition != nullptr ? condition->state : result->state; }
};

struct Of {
  const Gate& gate;
  std::vector<std::string_view> titles;  ///< of the runs
};

template <auto member>
constexpr auto number =
    [](const Line& l) { return l.result == nullptr ? absent : l.result->*member; };
template <auto member>
constexpr auto text = [](const Line& l) {
  return l.result == nullptr ? std::string_view() : std::string_view(l.result->*member);
};

const Columns<Line, Of> columns = {
    {"kind", [](const Line& l) { return l.result == nullptr ? "condition" : "rule"; }},
    {"rule",
     [](const Line& l, const Of& of) {
       return l.result == nullptr ? std::string(condition_text(l.condition->reason))
                                  : rule_text(of.gate.rules[l.result->rule], *l.result);
     }},
    {"state", [](const Line& l) { return name_of(l.state()); }},
    {"kept", as_flag,
     [](const Line& l) {
       return l.state() == GateState::kept ? 1.0 : l.state() == GateState::broken ? 0.0 : absent;
     },
     "missing: undecided"},
    {"id",
     [](const Line& l) {
       return l.result != nullptr ? std::string_view(l.result->id) : name_of(l.condition->reason);
     }},
    {"group", text<&GateResult::group>},
    {"line", "count",
     [](const Line& l, const Of& of) {
       return l.result == nullptr ? absent
                                  : static_cast<double>(of.gate.rules[l.result->rule].line);
     }},
    {"baseline", "", number<&GateResult::baseline>},
    {"candidate", "", number<&GateResult::candidate>},
    {"limit", "", number<&GateResult::limit>, "the limit that the candidate is checked against"},
    {"unit", as_given, text<&GateResult::unit>},
    {"noise", "", number<&GateResult::noise>, "standard error of candidate − baseline"},
    {"verdict", [](const Line& l) { return l.result == nullptr ? "" : verdict_text(*l.result); }},
    {"note",
     [](const Line& l, const Of& of) {
       return l.result == nullptr ? failure_text(*l.condition, of.titles) : result_text(*l.result);
     }},
};

/// A row per condition and per number of a rule, and the note "outcome": "refused" when the runs
/// could not be checked against the rules, or against one of them; "broken" when a rule is; else
/// "kept".
static Table gate_table(const Gate& gate, std::span<const Run* const> runs) {
  Of of{gate, {}};
  for (const Run* run : runs) of.titles.push_back(run->title);
  std::vector<Line> lines;
  for (const GateCondition& condition : gate.conditions)
    if (condition.reason != GateReason::nothing_compared) lines.push_back({&condition, nullptr});
  for (const GateResult& result : gate.results) lines.push_back({nullptr, &result});
  for (const GateCondition& condition : gate.conditions)
    if (condition.reason == GateReason::nothing_compared) lines.push_back({&condition, nullptr});
  Table table = columns.table(lines, of);
  const GateState outcome = gate.outcome();
  table.note("outcome", outcome == GateState::unknown ? "refused" : name_of(outcome));
  return table;
}

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, separated by ; or line breaks: event_rate_core_khz >= 0.9x; "
        "dataset:ttbar.seconds_per_million_events not worse"};
constexpr Option allow_option{
    .name = "allow",
    .about = "names of conditions that may fail, separated by commas; docs/gate.md lists them"};

static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const auto compared = [&](const Selection& narrowed, std::string_view per) {
    std::map<std::string, std::string> of_sides = options.all();
    of_sides.erase(std::string(rules_option.name));
    of_sides.erase(std::string(allow_option.name));
    of_sides[std::string(per_option.name)] = per;
    return compare_sides(runs, narrowed, Options(std::move(of_sides))).rows;
  };
  const Gate gate =
      check_rules(runs, selection, options, options.text(rules_option), options.text(per_option),
                  allowed_reasons(options.text(allow_option)), compared);
  Table table = gate_table(gate, runs);
  const auto of_a = runs_of_a(options, runs.size());
  table.note("a", title_of(runs.first(of_a)));
  table.note("b", title_of(runs.subspan(of_a)));
  return table;
}

extern const Question question{
    .name = "check",
    .about =
        "rules on two runs, or on two groups of replicates, and conditions for comparing them: "
        "kept, broken, unknown or allowed",
    .options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option,
                &rules_option, &allow_option},
    .narrowed_by = all_dimensions,
    .min_runs = 2,
    .max_runs = any_number,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::check

namespace crema::query::check_history {

constexpr Option rules_option{
    .name = "rules",
    .about =
        "rules, separated by ; or line breaks: all not worse; dataset:ttbar not worse by 3%; "
        "core_seconds_per_million_events <= 1.05x"};

/// Runs since the last change, without outliers, as one number, and what the candidate's is beside.
struct Held {
  const HistorySeries* series;
  std::size_t runs = 0;
  double level = absent;
  double candidate = absent;
  double error = absent;    ///< of one more run against them, in the unit of the series
  double p_value = absent;  ///< that one more run is so far off
};

static Held held(const HistorySeries& series, std::size_t candidate, double chance) {
  Held one{&series};
  one.candidate = series.values[candidate];
  // Runs of other work say nothing of it.
  const auto [begin, end] = series.stretch_of(candidate);
  std::vector<double> before(series.values.begin() + static_cast<std::ptrdiff_t>(begin),
                             series.values.begin() + static_cast<std::ptrdiff_t>(end));
  before[candidate - begin] = absent;
  const Segmentation segmentation = segmentation_of(before, chance);
  if (segmentation.levels.empty()) return one;
  const Level& last = segmentation.levels.back();
  std::vector<double> values;
  for (std::size_t i = last.begin; i < last.end; ++i) {
    const bool is_outlier = std::find(segmentation.outliers.begin(), segmentation.outliers.end(),
                                      i) != segmentation.outliers.end();
    if (!is_absent(before[i]) && !is_outlier)
      values.push_back(segmentation.relative ? elementary::log(before[i]) : before[i]);
  }
  const Moments of = moments(values);
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

static bool is_about(const GateRule& rule, const HistorySeries& series) {
  return rule.subject == "all" || rule.subject == series.id ||
         series.id.starts_with(rule.subject + ".");
}

using Outcome = GateResult::Outcome;

static GateResult result_of(const GateRule& rule, std::size_t number, const Held& of) {
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

static void decide(GateResult& result, const GateRule& rule, const Held& of, bool is_significant) {
  if (is_absent(of.candidate) || of.runs < least_level) return;
  if (!rule.is_about_verdict()) {
    result.limit = limit_of(rule, result.id, result.unit, result.baseline);
    result.state =
        holds(rule, result.candidate, result.limit) ? GateState::kept : GateState::broken;
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
}

static Table answer(std::span<const Run* const> runs, const Selection&, const Options& options) {
  const auto run_history = run_history_of(runs);
  Gate gate{.rules = parse_gate_rules(options.text(rules_option)), .conditions = {}, .results = {}};
  const auto candidate = static_cast<std::size_t>(
      std::find(run_history->runs.begin(), run_history->runs.end(), runs.back()) -
      run_history->runs.begin());
  const auto condition = [&](GateReason reason, std::string other_work, bool is_met) {
    GateCondition made;
    made.reason = reason;
    made.other_work = std::move(other_work);
    made.state = is_met ? GateState::kept : GateState::unknown;
    gate.conditions.push_back(std::move(made));
  };
  condition(GateReason::no_rules, "", !gate.rules.empty());
  condition(GateReason::other_work, run_history->left_out[candidate],
            run_history->is_compared(candidate));
  for (std::size_t i = 0; i < gate.rules.size(); ++i) {
    const GateRule& rule = gate.rules[i];
    std::vector<Held> checked;
    std::vector<double> p_values;
    std::vector<std::string_view> known = {"all"};
    for (const HistorySeries& series : run_history->series) {
      known.push_back(series.id);
      if (!is_about(rule, series)) continue;
      if (rule.is_about_verdict() && series.better.empty()) continue;
      checked.push_back(held(series, candidate, options.number(chance_option)));
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
  Table table = check::gate_table(gate, runs);
  table.note("a", "the history");
  table.note("b", runs.back()->title);
  return table;
}

extern const Question question{
    .name = "check_history",
    .about =
        "rules on the last run given, checked against the level of the others since their last "
        "change",
    .options = {&chance_option, &rules_option},
    .min_runs = 2,
    .max_runs = any_number,
    .of_digests = true,
    .columns = &check::columns,
    .function = answer,
};

}  // namespace crema::query::check_history
