#pragma once

#include "core/model/run.hpp"

namespace crema::runtime {

/// Seconds between heartbeats of a worker, by the largest number of workers present
/// (`distributed.scheduler.heartbeat_interval`): 0.5 s up to 10, 1 s below 50, 2 s below 200, then
/// n / 200 + 1 s.
double heartbeat_interval(const Run& run);

}  // namespace crema::runtime
