#pragma once

#include <span>

#include "core/compare/gate.hpp"
#include "core/table/table.hpp"

namespace crema::query {

/// A row per condition and per number of a rule, and the note "outcome": "refused" when the runs
/// could not be checked against the rules, or against one of them; "broken" when a rule is; else
/// "kept".
Table gate_table(const crema::compare::Gate& gate, std::span<const Run* const> runs);

}  // namespace crema::query
