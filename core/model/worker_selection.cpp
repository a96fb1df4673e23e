#include "core/model/worker_selection.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace crema {

WorkerSelection::WorkerSelection(const Run& run, const Selection& selection)
    : chosen(run.workers.size(), true), all(selection.workers.empty()) {
  if (all) return;
  const std::unordered_set<std::string_view> wanted(selection.workers.begin(),
                                                    selection.workers.end());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] =
        wanted.contains(run.text(run.workers.address[i])) ||
        (run.workers.name[i] != no_string && wanted.contains(run.text(run.workers.name[i])));
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

TickRange ticks_within(const Run& run, double begin, double end) {
  const auto first = std::lower_bound(run.ticks.begin(), run.ticks.end(), begin);
  const auto last = std::upper_bound(first, run.ticks.end(), end);
  return {static_cast<std::size_t>(first - run.ticks.begin()),
          static_cast<std::size_t>(last - run.ticks.begin())};
}

Run::Window selected_window(const Run& run, const Selection& selection) {
  return selection.time ? Run::Window{selection.time->begin, selection.time->end} : run.window();
}

TickRange selected_ticks(const Run& run, const Selection& selection) {
  return selection.time ? ticks_within(run, selection.time->begin, selection.time->end)
                        : TickRange{0, run.ticks.size()};
}

std::string worker_series_note(const Selection& selection) {
  return selection.uses(Selection::of_chunks | Selection::by_prefix)
             ? "worker series are not split by dataset, file, host or task: only time and "
               "workers narrow them"
             : "";
}

bool present_at(const Workers& workers, std::size_t worker, std::size_t tick) {
  return std::any_of(workers.series.begin(), workers.series.end(),
                     [&](const auto& series) { return !is_absent(series[worker].at(tick)); });
}

}  // namespace crema
