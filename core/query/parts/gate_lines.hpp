#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/table/table.hpp"

namespace crema::query {

// What became of a condition or of a rule.
inline constexpr std::string_view kept = "kept";
inline constexpr std::string_view broken = "broken";
inline constexpr std::string_view unknown = "unknown";
inline constexpr std::string_view allowed = "allowed";

/// A row of what gates answer: a condition, or a rule on one number.
struct GateLine {
  std::string_view kind;  ///< "condition", "rule"
  std::string rule;
  double line = absent;  ///< of the rules' text
  std::string_view state;
  std::string group, id;
  double baseline = absent, candidate = absent, limit = absent, noise = absent;
  std::string unit, verdict, note;
};

/// The columns of a gate, and the note "outcome": "refused" when the runs could not be held against
/// the rules, or against one of them; "broken" when a rule is; else "kept".
void add_gate_lines(Table& table, const std::vector<GateLine>& lines);

}  // namespace crema::query
