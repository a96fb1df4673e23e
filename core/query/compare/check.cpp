// Rules on runs, for gates in continuous integration: on two sides, `check`; on the last run
// against those since the last change, `check_history`.
#include "core/compare/gate.hpp"
#include "core/predict/prediction.hpp"
#include "core/query/question.hpp"
#include "core/report/gate_text.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::check {

template <auto member>
constexpr auto number =
    [](const GateLine& l) { return l.result == nullptr ? absent : l.result->*member; };
template <auto member>
constexpr auto text = [](const GateLine& l) {
  return l.result == nullptr ? std::string_view() : std::string_view(l.result->*member);
};

const Columns<GateLine, Gate> columns = {
    {"kind", [](const GateLine& l) { return l.result == nullptr ? "condition" : "rule"; }},
    {"rule",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? std::string(condition_text(l.condition->reason))
                                  : rule_text(of.rules[l.result->rule], *l.result);
     }},
    {"state", [](const GateLine& l) { return name_of(l.state()); }},
    {"kept", as_flag,
     [](const GateLine& l) {
       return l.state() == GateState::kept ? 1.0 : l.state() == GateState::broken ? 0.0 : absent;
     },
     "missing: undecided"},
    {"id",
     [](const GateLine& l) {
       return l.result != nullptr ? std::string_view(l.result->id) : name_of(l.condition->reason);
     }},
    {"group", text<&GateResult::group>},
    {"line", "count",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? absent : static_cast<double>(of.rules[l.result->rule].line);
     }},
    {"baseline", "", number<&GateResult::baseline>},
    {"candidate", "", number<&GateResult::candidate>},
    {"limit", "", number<&GateResult::limit>, "the limit that the candidate is checked against"},
    {"unit", as_given, text<&GateResult::unit>},
    {"noise", "", number<&GateResult::noise>, "standard error of candidate − baseline"},
    {"verdict",
     [](const GateLine& l) { return l.result == nullptr ? "" : verdict_text(*l.result); }},
    {"note",
     [](const GateLine& l, const Gate& of) {
       return l.result == nullptr ? failure_text(*l.condition, of.titles) : result_text(*l.result);
     }},
};

/// A row per condition and per number of a rule, and the note "outcome": "refused" when the runs
/// could not be checked against the rules, or against one of them; "broken" when a rule is; else
/// "kept".
template <Gate (*make)(std::span<const Run* const>, const Selection&, const Options&)>
static Table answer(std::span<const Run* const> runs, const Selection& selection,
                    const Options& options) {
  const Gate gate = make(runs, selection, options);
  Table table = columns.table(gate.lines(), gate);
  table.note("outcome", outcome_text(gate));
  table.note("a", baseline_text(gate));
  table.note("b", candidate_text(gate));
  return table;
}

extern const Question question(
    "check",
    "rules on two runs, or on two groups of replicates, and conditions for comparing them: "
    "kept, broken, unknown or allowed",
    columns, answer<check_rules>,
    {.options = {&runtime::processor_option, &per_option, &runs_of_a_option, &run_spread_option,
                 &rules_option, &allow_option},
     .narrowed_by = all_dimensions,
     .run_count = {2, any_number}});

}  // namespace crema::query::check

namespace crema::query::check_history {

extern const Question question(
    "check_history",
    "rules on the last run given, checked against the level of the others since their last "
    "change",
    check::columns, check::answer<crema::compare::check_history>,
    {.options = {&p_value_option, &history_rules_option},
     .run_count = {2, any_number},
     .of_digests = true});

}  // namespace crema::query::check_history
