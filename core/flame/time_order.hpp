#pragma once

#include "core/flame/layout.hpp"
#include "core/flame/transform.hpp"

namespace crema {

/// The boxes of ordered samples, laid end to end: equal callees of consecutive samples are one box, idle samples and those that a
/// transform left out are gaps. `samples` is the recorded tree that `tree` was made of. Boxes come as they end. In the unit of the
/// samples, from the first one on.
Layout lay_out_in_time(const CallTree& samples, const FlameTree& tree, const Window& window);

}  // namespace crema
