#pragma once

#include "core/model/run.hpp"
#include "core/runtime/cluster/cores.hpp"

namespace crema::runtime {

/// Number of chunks inside process() over time, exactly: a step at each start and end. Kept by the
/// run.
const Steps& chunk_steps(const Run& run);

}  // namespace crema::runtime
