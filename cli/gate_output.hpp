#pragma once

#include <string>

#include "core/table/table.hpp"

namespace crema::cli {

/// An answer of `check`, or why there is none, and the exit status that follows.
struct GateResult {
  Table checked;      ///< of question `check`; without rows where it could not be asked
  std::string error;  ///< a sentence where it could not be asked
  int status = 0;
  std::string rules_file;       ///< where rules came from; "" without one
  std::size_t rules_lines = 0;  ///< how many lines it has: rules of later lines are no file's
};

/// {"format": "crema check", "version": 1, ...}: docs/gate.md says what is in it.
std::string gate_json(const GateResult& result);

/// A JUnit report: a test case per condition and rule; broken is a failure, unknown an error,
/// allowed is skipped.
std::string gate_junit(const GateResult& result);

/// Workflow commands of GitHub Actions: an ::error of what is broken or unknown, a ::warning of
/// what was allowed, a ::notice where all is kept.
std::string gate_annotations(const GateResult& result);

}  // namespace crema::cli
