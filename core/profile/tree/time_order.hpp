#pragma once

#include "core/profile/tree/layout.hpp"
#include "core/profile/tree/transform.hpp"

namespace crema::profile {

/// The boxes of a tree's ordered samples, laid end to end: equal callees of consecutive samples are
/// one box, idle samples and those that a transform left out are gaps. Boxes come as they end. In
/// the unit of the samples, from the first one on.
Layout lay_out_in_time(const FlameTree& tree, const Window& window);

/// What all the samples take, gaps included, in their unit.
double time_extent(const FlameTree& tree);

}  // namespace crema::profile
