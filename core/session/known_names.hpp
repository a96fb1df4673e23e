#pragma once

#include <span>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema {

/// Throws Failure bad_selection where `selection` names a worker, dataset, file, host or task
/// prefix that none of `runs` has; it says which there are, and which one is nearest.
void check_names(const Selection& selection, std::span<const Run* const> runs);

}  // namespace crema
