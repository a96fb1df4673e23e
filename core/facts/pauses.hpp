#pragma once

#include <vector>

#include "core/model/run.hpp"

namespace crema::facts {

/// A time in which Dask gave a worker nothing to run, because its memory was nearly full.
struct Pause {
  std::size_t worker;
  double begin, end;  ///< [s] run axis; to the end of the run where nothing says that it ended
  double share;       ///< of the worker's memory that was in use when it began; absent if not told
};

/// By their begin; empty where `crema.record` did not listen.
std::vector<Pause> pauses_of(const Run& run);

}  // namespace crema::facts
