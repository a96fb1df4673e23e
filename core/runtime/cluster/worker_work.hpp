#pragma once

#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"

namespace crema::runtime {

/// What a worker did over the whole run, by the task stream.
struct WorkerWork {
  double executions = absent;  ///< of the processor
  double lost = absent;        ///< of them, done again elsewhere or later
  double chunks = 0;           ///< that are known to be this worker's
  /// Σ duration of its chunks / Σ of what their datasets and events let expect, by the median
  /// worker's: the mix of datasets does not matter. Absent without such chunks.
  double times_median = absent;
};

/// In the order of the workers, kept by the run; empty without a task stream.
const std::vector<WorkerWork>& worker_work(const Run& run, StringId processor);

/// More than this many robust spreads above the median worker is unlike the others.
inline constexpr double unlike_spreads = 3;
/// Below that excess a worker is like the others however alike these are.
inline constexpr double least_excess = 0.1;
/// A worker with fewer chunks, and a cluster with fewer such workers, tells nothing.
inline constexpr std::size_t least_chunks_of_worker = 5;

/// From which `times_median` on a worker is slow; infinite where too few workers tell.
double slow_from(const std::vector<WorkerWork>& work);

}  // namespace crema::runtime
