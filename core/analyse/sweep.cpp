#include "core/analyse/sweep.hpp"

#include <algorithm>

namespace crema {

Steps chunk_steps(const Run& run, const ChunkSelection& chosen) {
  struct Event {
    double t;
    double change;
  };
  std::vector<Event> events;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (!chosen[i] || is_absent(run.chunks.t_start[i])) continue;
    events.push_back({run.chunks.t_start[i], 1});
    events.push_back({run.chunks.t_end[i], -1});
  }
  // Ends before starts at one moment: a chunk that follows another on the same core does not count twice.
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.t != b.t ? a.t < b.t : a.change < b.change; });
  Steps steps;
  double running = 0;
  for (const Event& event : events) {
    running += event.change;
    if (!steps.times.empty() && steps.times.back() == event.t) {
      steps.values.back() = running;
    } else {
      steps.times.push_back(event.t);
      steps.values.push_back(running);
    }
  }
  steps.end = steps.times.empty() ? absent : steps.times.back();
  return steps;
}

}  // namespace crema
