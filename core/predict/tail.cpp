#include "core/predict/replay.hpp"

#include <algorithm>
#include <cmath>

#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::predict {

namespace {

constexpr double most_done = 0.95;

/// ∫ max(0, a − b) dt over [begin, end]: both are steps.
double positive_difference(const Steps& a, const Steps& b, double begin, double end) {
  const std::vector<double> edges = edges_of(a, b, begin, end);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    sum += std::max(0.0, a.at(edges[i]) - b.at(edges[i])) * (edges[i + 1] - edges[i]);
  }
  return sum;
}

}  // namespace

Tail find_tail(const Run& run, const ChunkSelection& chosen, const Options& options) {
  Tail tail;
  const Chunks& c = run.chunks;
  std::vector<double> ends, durations;
  double first = absent;
  const WorkerSelection everyone(run, {});
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen[i] || is_absent(c.t_end[i])) continue;
    ends.push_back(c.t_end[i]);
    durations.push_back(c.t_end[i] - c.t_start[i]);
    if (is_absent(first) || c.t_start[i] < first) first = c.t_start[i];
    if (!tail.any || c.t_end[i] > c.t_end[tail.critical_chunk]) tail.critical_chunk = i;
    tail.any = true;
  }
  if (!tail.any) return tail;
  if (!run.chunks.placed) {
    // Durations hold, when they were does not.
    tail = {};
    const Run::Window window = run.window();
    tail.cores = std::round(core_time(run, everyone, window.begin, window.end).cores);
    return tail;
  }
  const auto last_of_most =
      ends.begin() +
      static_cast<std::ptrdiff_t>(std::ceil(most_done * static_cast<double>(ends.size()))) - 1;
  std::nth_element(ends.begin(), last_of_most, ends.end());
  tail.t95 = *last_of_most;
  tail.end = c.t_end[tail.critical_chunk];
  tail.actual_makespan = tail.end - first;

  const Steps cores = core_steps(run, everyone);
  if (!cores.empty()) {
    // A core that ran a chunk of another dataset was not wasted.
    tail.core_seconds = cores.integral(tail.t95, tail.end);
    tail.core_seconds_wasted =
        positive_difference(cores, chunk_steps(run), tail.t95, std::min(tail.end, cores.end));
  }
  tail.cores = std::round(core_time(run, everyone, first, tail.end).cores);
  if (tail.cores >= 1) {
    // A core that opens a file or merges results takes no chunk meanwhile. Only what comes before
    // the first chunk is not in the time that is compared.
    const ReplayTrace& trace = replay_trace_of(run, options);
    const double around = trace.outside + trace.others + trace.gap;
    for (double& seconds : durations) seconds += around;
    if (durations.size() == trace.order.size() && !trace.slots.empty()) {
      // Of the whole run: on the cluster as it came and went.
      tail.ideal_makespan = std::min(
          tail.actual_makespan,
          on_recorded_cluster(trace, longest_first(std::move(durations))) - trace.after - first);
      return tail;
    }
    // More cores than chunks change nothing.
    const double useful = std::min(tail.cores, static_cast<double>(durations.size()));
    tail.ideal_makespan =
        std::min(tail.actual_makespan, replay(longest_first(std::move(durations)),
                                              std::vector<Slot>(static_cast<std::size_t>(useful))) -
                                           around);
  }
  return tail;
}

}  // namespace crema::predict
