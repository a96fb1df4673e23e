#pragma once

#include <string>
#include <vector>

#include "cli/asked.hpp"

namespace crema::cli {

/// What `compare` and `check` have in common: two runs, and an answer in one of two forms.
struct Pair {
  Asked asked;
  bool json = false;
  bool markdown = false;

  void add_arguments(CLI::App& command, const std::string& placeholder);

  /// Opens the bundles. Throws Refusal when they are not two runs.
  std::vector<RunId> open(Session& session) const;
};

}  // namespace crema::cli
