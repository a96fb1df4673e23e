#pragma once

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"

namespace crema::runtime {

/// The worker whose memory came nearest to its limit [byte]: where it began, its peak, its limit.
struct TightestWorker {
  double begin = absent, peak = absent, limit = absent;
};
TightestWorker tightest_worker(const Run& run);

/// [byte] That would do for a worker with this peak: twice as much, in whole steps of 128 MiB, as
/// chunks of another run differ.
double memory_enough(double peak);

}  // namespace crema::runtime
