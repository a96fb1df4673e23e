#pragma once

#include <span>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema {

/// Throws Failure bad_selection when `selection` names a worker, dataset, file, host or task prefix
/// that none of `runs` has. The message lists those there are and names the nearest.
void check_names(const Selection& selection, std::span<const Run* const> runs);

}  // namespace crema
