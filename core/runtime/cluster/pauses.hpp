#pragma once

#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

/// A time interval in which Dask paused a worker because its memory was nearly full.
struct Pause {
  std::size_t worker;
  double begin, end;  ///< [s] on the run axis; to the end of the run if no end was recorded
  double share;       ///< of the memory limit that was in use at its begin; absent if not recorded
};

/// All pauses in order of their begin; empty if `crema.record` did not record workers' warnings.
std::vector<Pause> pauses_of(const Run& run);

}  // namespace crema::runtime
