#pragma once

#include <string>

#include "core/compare/history.hpp"
#include "core/report/answer_text.hpp"

namespace crema::report {

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
