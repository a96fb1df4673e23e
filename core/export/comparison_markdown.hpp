#pragma once

#include <span>
#include <string>

#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::exports {

/// Two sides for a pull request: what is not like for like, the headline numbers, and per dimension
/// what contributed most to the change; differences within noise are left out. Options are those of
/// `compare`.
std::string comparison_markdown(std::span<const Run* const> runs, const Selection& selection,
                                const Options& options);

}  // namespace crema::exports
