#include "core/runtime/cluster/pauses.hpp"

namespace crema::runtime {

std::vector<Pause> pauses_of(const Run& run) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Pause> pauses;
  std::vector<std::size_t> open(run.workers.size(), none);  // by worker: its open pause, an index
  for (const WorkerEvent& event : run.worker_events) {
    const std::size_t worker = run.workers.find(event.worker);
    if (worker == open.size()) continue;
    if (event.kind == "paused" && open[worker] == none) {
      open[worker] = pauses.size();
      pauses.push_back({worker, event.t, run.window().end, event.value});
    } else if (event.kind == "resumed" && open[worker] != none) {
      pauses[open[worker]].end = event.t;
      open[worker] = none;
    }
  }
  return pauses;
}

}  // namespace crema::runtime
