#pragma once

#include <limits>
#include <vector>

#include "core/base/numbers.hpp"

namespace crema::predict {

/// A core that takes tasks: from when, and until when it begins new ones [s].
struct Slot {
  double from = 0;
  double until = std::numeric_limits<double>::infinity();
};

/// List scheduling: each task, in the given order, begins on the slot that is free first. Returns
/// when the last one ends [s]; absent when tasks are left that no slot takes.
double replay(const std::vector<double>& task_seconds, const std::vector<Slot>& slots);

}  // namespace crema::predict
