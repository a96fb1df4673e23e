#include "core/runtime/cluster/worker_memory.hpp"

#include <cmath>

namespace crema::runtime {

TightestWorker tightest_worker(const Run& run) {
  TightestWorker tightest;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Moments used = moments(run.workers.of(Series::memory, w).values);
    double limit = run.workers.memory_limit[w];
    if (is_absent(limit)) limit = moments(run.workers.of(Series::memory_limit, w).values).max;
    if (used.count == 0 || !(limit > 0)) continue;
    if (!(used.max / limit <= tightest.peak / tightest.limit))
      tightest = {used.min, used.max, limit};
  }
  return tightest;
}

double memory_enough(double peak) {
  constexpr double step = 128.0 * 1024 * 1024;
  return std::ceil(2 * peak / step) * step;
}

}  // namespace crema::runtime
