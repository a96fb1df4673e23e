#include "core/analyse/worker_selection.hpp"

#include <algorithm>

namespace crema {

WorkerSelection::WorkerSelection(const Run& run, const Selection& selection)
    : chosen(run.workers.size(), true), all(selection.workers.empty()) {
  if (all) return;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto is = [&](const std::string& wanted) {
      return wanted == run.text(run.workers.address[i]) ||
             (run.workers.name[i] != no_string && wanted == run.text(run.workers.name[i]));
    };
    chosen[i] = std::any_of(selection.workers.begin(), selection.workers.end(), is);
  }
}

TickRange ticks_of(const Workers& workers, std::size_t worker) {
  TickRange range;
  for (const auto& series : workers.series) {
    const TickSeries& one = series[worker];
    if (one.empty()) continue;
    if (range.end == 0) range.begin = one.first_tick;
    range.begin = std::min<std::size_t>(range.begin, one.first_tick);
    range.end = std::max(range.end, one.end_tick());
  }
  return range;
}

}  // namespace crema
