#include "core/runtime/chunks.hpp"

#include <algorithm>
#include <vector>
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

Steps compute_chunk_steps(const Run& run) {
  const Chunks& c = run.chunks;
  std::vector<double> starts, ends;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (is_absent(c.t_start[i]) || is_absent(c.t_end[i])) continue;
    starts.push_back(c.t_start[i]);
    ends.push_back(c.t_end[i]);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  Steps steps;
  double running = 0;
  auto start = starts.begin();
  auto end = ends.begin();
  while (end != ends.end()) {
    const double t = start == starts.end() ? *end : std::min(*start, *end);
    for (; end != ends.end() && *end == t; ++end) running -= 1;
    for (; start != starts.end() && *start == t; ++start) running += 1;
    steps.times.push_back(t);
    steps.values.push_back(running);
  }
  steps.end = steps.times.empty() ? absent : steps.times.back();
  return steps;
}

}  // namespace

const Steps& chunk_steps(const Run& run) {
  return kept_of(run).chunk_steps.of([&] { return compute_chunk_steps(run); });
}

}  // namespace crema::runtime
