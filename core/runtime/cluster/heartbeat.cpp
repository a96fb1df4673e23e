#include "core/runtime/cluster/heartbeat.hpp"

#include "core/runtime/cluster/cores.hpp"

namespace crema::runtime {

double heartbeat_interval(const Run& run) {
  const double workers =
      value_or(moments(worker_steps(run, WorkerSelection(run, {})).values).max, 0);
  if (workers <= 10) return 0.5;
  if (workers < 50) return 1;
  if (workers < 200) return 2;
  return workers / 200 + 1;
}

}  // namespace crema::runtime
