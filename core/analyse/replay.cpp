#include "core/analyse/replay.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace crema {

double replay(const std::vector<double>& task_seconds, std::vector<Slot> slots) {
  using Free = std::pair<double, std::size_t>;  // when, which slot
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::size_t i = 0; i < slots.size(); ++i) free.emplace(slots[i].from, i);
  double end = absent;
  for (const double seconds : task_seconds) {
    while (!free.empty() && free.top().first >= slots[free.top().second].until) free.pop();
    if (free.empty()) return absent;
    const auto [at, slot] = free.top();
    free.pop();
    const double done = at + seconds;
    free.emplace(done, slot);
    if (!(end >= done)) end = done;
  }
  return end;
}

}  // namespace crema
