#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/asked.hpp"

namespace crema::cli {

/// What `compare` and `check` have in common: two sides of one run each, or of replicates, and an
/// answer in one of two forms.
struct Pair {
  Asked asked;
  bool json = false;
  bool markdown = false;
  std::map<std::string, std::string> sides;  ///< options that say which runs are whose, once open

  void add_arguments(CLI::App& command, const std::string& placeholder);

  /// Opens the bundles, those of the first side first. Throws Refusal when they are not two runs
  /// and no -- stands between two sides.
  std::vector<RunId> open(Session& session);

 private:
  std::string run_spread_;
};

}  // namespace crema::cli
