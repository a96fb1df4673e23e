#pragma once

#include <vector>

#include "core/analyse/chunk_selection.hpp"
#include "core/analyse/cores.hpp"

namespace crema {

/// Number of selected chunks inside process() over time, exactly: a step at each start and end.
Steps chunk_steps(const Run& run, const ChunkSelection& chosen);

}  // namespace crema
