#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/asked.hpp"
#include "cli/layout.hpp"

namespace crema::cli {

/// What `compare` and `check` have in common: two sides of one run each, or of replicates, and an
/// answer in one of two forms.
struct Pair {
  Asked asked;
  bool json = false;
  bool markdown = false;
  std::map<std::string, std::string> sides;  ///< options that say which runs are whose, once open
  std::vector<std::string> damage;           ///< sentences, once open

  void add_arguments(CLI::App& command, const std::string& placeholder);

  /// Opens the bundles, those of the first side first, and says what of their files is damaged.
  /// Throws Refusal when they are not two runs and no -- stands between two sides.
  std::vector<RunId> open(Session& session);

  /// Whether a screen is printed instead of Markdown: on a terminal, where none was asked for.
  bool is_screen() const { return !markdown && !json && is_on_terminal(); }

  /// What a person looks at of two sides: a screen, or all of it in Markdown.
  Result<std::string> compared(const Session& session, std::span<const RunId> runs,
                               const Selection& selection, const Options& options) const;

 private:
  std::vector<RunId> open_sides(Session& session);

  std::string run_spread_;
};

}  // namespace crema::cli
