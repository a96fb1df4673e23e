#pragma once

#include <optional>
#include <string>

#include "cli/layout.hpp"
#include "core/compare/gate.hpp"

namespace crema::cli {

/// A gate, or why there is none, and the exit status that follows.
struct GateReport {
  std::optional<compare::Gate> gate;
  std::string error;  ///< a sentence where there is none
  int status = 0;
  std::string rules_file;       ///< where rules came from; "" without one
  std::size_t rules_lines = 0;  ///< how many lines it has: rules of later lines are no file's
};

/// A screen of a terminal: each rule with its state, and below it its numbers.
std::string gate_screen(const compare::Gate& gate, std::size_t width, const Style& style);

/// {"format": "crema check", "version": 1, ...}: docs/gate.md says what is in it.
std::string gate_json(const GateReport& result);

/// A JUnit report: a test case per condition and rule; broken is a failure, unknown an error,
/// allowed is skipped.
std::string gate_junit(const GateReport& result);

/// Workflow commands of GitHub Actions: an ::error of what is broken or unknown, a ::warning of
/// what was allowed, a ::notice where all is kept.
std::string gate_annotations(const GateReport& result);

}  // namespace crema::cli
