#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/compare/gate.hpp"
#include "core/compare/history.hpp"
#include "core/compare/sides.hpp"
#include "core/report/answer_text.hpp"

namespace crema::report {

using namespace compare;

/// "section skim_selection of dataset wjets"
std::string label_of(const compare::Effect& part);

/// "on worker 1", "in dataset wjets"
std::string place_of(const compare::PartId& id);

/// What a part of a change is: of a function its name alone.
std::string label_of(const compare::Cause& cause);

/// ", hardly seen in A", of a function that one run has.
std::string_view only_in_text(const compare::Cause::Function& function);

/// "jets, process() outside its sections"
std::string sections_text(const std::vector<compare::SectionId>& sections);

/// "tasks outside process()"
std::string_view name_of(compare::ElapsedChange::Step::Kind step);

/// What happened; what that cannot tell, and what was not like for like.
VerdictText in_words(const Explanation& e, std::span<const Run* const> runs, std::size_t runs_of_a,
                     const Selection& selection, const Options& options);

/// What a page says first of two sides.
struct ChangeLines {
  std::string
      headline;      ///< "B took 1.17 times as long (9.93 s → 11.7 s). Section x grew most; ..."
  std::string line;  ///< "x: +0.865 ± 0.45 core-s beyond the general slow-down of 14 %, ..."
  std::string assumed;  ///< "One run each: a 17 % run-to-run spread is assumed"
  std::string missed;   ///< "Could have been missed: changes below 38 % in a section, ..."
};
ChangeLines change_lines(const Explanation& e, std::span<const Run* const> runs,
                         const Options& options);

/// "run-01 and 3 more"
std::string side_text(std::string_view first, std::size_t runs);
inline std::string side_text(std::span<const Run* const> runs) {
  return side_text(runs[0]->title, runs.size());
}

/// What the numbers of a comparison of so many runs are judged against.
std::string_view noise_text(std::size_t runs);

/// "Workers, most at once", "All datasets", "ttbar"
std::string label_of(const compare::ComparedNumber& row);

/// "only in A", "noise unknown: it needs replicates"
std::string note_text(const compare::RowNote& note, bool has_replicates);

/// Where the noise of a row comes from; "" where it has none.
std::string noise_source_text(const compare::ComparedNumber& row, bool has_replicates);

/// "datasets: only B has them; hosts: only A has them"
std::string not_compared_text(const std::vector<compare::OnlyOneSide>& groups);

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

/// "another processor: Zprime", "other datasets"
std::string other_work_text(const compare::OtherWork& other);

/// "Event rate"
std::string label_of(const compare::HistorySeries& series);

/// What makes the runs of a series comparable: "per million events".
std::string basis_text(const compare::HistorySeries& series);

/// "commit a1 → b2, awkward 2.12 → 2.14"
std::string labels_text(const compare::HistoryEvent& event);

/// The titles of what was found since.
std::string findings_text(const compare::HistoryEvent& event, const compare::RunHistory& runs);

/// The newest change and where most of it is; then what else changed, changes before, and outliers.
VerdictText history_text(const compare::History& history);

}  // namespace crema::report
