#pragma once

#include "core/facts/cores.hpp"
#include "core/model/run.hpp"

namespace crema::facts {

/// Number of chunks inside process() over time, exactly: a step at each start and end. Kept by the
/// run.
const Steps& chunk_steps(const Run& run);

}  // namespace crema::facts
