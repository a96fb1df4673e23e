#pragma once

#include <span>

#include "cli/output.hpp"
#include "core/session/session.hpp"

namespace crema::cli {

/// Keeps digests of `runs` in a folder, or prints the one there is. A run called as another one
/// that is kept there gets the time at which it began into its name. The folder's index.json lists
/// what lies in it, for `#url=` (docs/history.md). Throws like save_into_folder.
void save_digests(Session& session, std::span<const RunId> runs, const Options& options,
                  const Target& folder);

}  // namespace crema::cli
