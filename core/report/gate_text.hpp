#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/compare/gate.hpp"

namespace crema::report {

/// "2 of 5 rules broken": what a gate comes to, in a few words.
std::string headline_text(const compare::Gate& gate);

/// "refused" where the gate is undecided, "broken" or "kept".
std::string_view outcome_text(const compare::Gate& gate);

/// "run-01 and 3 more"; "the history".
std::string baseline_text(const compare::Gate& gate);
std::string candidate_text(const compare::Gate& gate);

/// "all runs have the same events"
std::string_view condition_text(compare::GateReason reason);

/// Why a condition fails: "the candidate lacks 40 % of the events (3,000 → 1,800)"; empty where it
/// is met. `titles` are the runs' own; two runs are the baseline and the candidate.
std::string failure_text(const compare::GateCondition& condition,
                         std::span<const std::string> titles);

/// The rule as it applies to one number: "dataset:ttbar.seconds not worse".
std::string rule_text(const compare::GateRule& rule, const compare::GateResult& result);

/// "better", "worse" or "": what a rule that is about a verdict found.
std::string_view verdict_text(const compare::GateResult& result);

/// "dataset ttbar: +32.1 % ± 2 %, worse"
std::string result_text(const compare::GateResult& result);

}  // namespace crema::report
