// Which chunks ran at the same time: steps, lanes, and how many shared a host.
#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "core/runtime/chunks.hpp"
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

const std::vector<std::uint32_t>& chunks_by_start(const Run& run) {
  return kept_of(run).chunks_by_start.of([&] {
    const Chunks& c = run.chunks;
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (!is_absent(c.t_start[i]) && !is_absent(c.t_end[i]))
        order.push_back(static_cast<std::uint32_t>(i));
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(c.t_start[a], c.t_end[a], a) < std::tie(c.t_start[b], c.t_end[b], b);
    });
    return order;
  });
}

namespace {

std::vector<double> compute_lanes(const Run& run) {
  const Chunks& chunks = run.chunks;
  std::vector<double> lanes(chunks.size(), absent);
  std::priority_queue<double, std::vector<double>, std::greater<>> free_lanes;
  using Busy = std::pair<double, double>;  // end, lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  double next_lane = 0;
  for (const std::uint32_t i : chunks_by_start(run)) {
    while (!busy.empty() && busy.top().first <= chunks.t_start[i]) {
      free_lanes.push(busy.top().second);
      busy.pop();
    }
    double lane = next_lane;
    if (free_lanes.empty()) {
      next_lane += 1;
    } else {
      lane = free_lanes.top();
      free_lanes.pop();
    }
    lanes[i] = lane;
    busy.emplace(chunks.t_end[i], lane);
  }
  return lanes;
}

/// Σ max(0, t − time) of the sorted times, whose running sums are `sums`.
double time_since(const std::vector<double>& times, const std::vector<double>& sums, double t) {
  const auto before =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  return before == 0 ? 0 : static_cast<double>(before) * t - sums[before - 1];
}

std::vector<double> compute_host_loads(const Run& run) {
  const Chunks& c = run.chunks;
  const ChunkGroups& hosts = chunk_groups(run, ChunkKey::host);
  std::vector<double> loads(c.size(), absent);
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::vector<std::uint32_t> timed;
    std::vector<double> starts, ends, start_sums, end_sums;
    for (const std::uint32_t i : hosts.members(host)) {
      if (c.file[i] == no_string || !(c.t_end[i] > c.t_start[i])) continue;
      timed.push_back(i);
      starts.push_back(c.t_start[i]);
      ends.push_back(c.t_end[i]);
    }
    for (auto [times, sums] : {std::pair{&starts, &start_sums}, std::pair{&ends, &end_sums}}) {
      std::sort(times->begin(), times->end());
      std::partial_sum(times->begin(), times->end(), std::back_inserter(*sums));
    }
    // Chunk-seconds of the host until t; their difference over a chunk, by its length.
    const auto until = [&](double t) {
      return time_since(starts, start_sums, t) - time_since(ends, end_sums, t);
    };
    for (const std::uint32_t i : timed)
      loads[i] = (until(c.t_end[i]) - until(c.t_start[i])) / (c.t_end[i] - c.t_start[i]);
  }
  return loads;
}

}  // namespace

const std::vector<double>& host_loads(const Run& run) {
  return kept_of(run).host_loads.of([&] { return compute_host_loads(run); });
}

const std::vector<double>& pack_lanes(const Run& run) {
  return kept_of(run).lanes.of([&] { return compute_lanes(run); });
}

}  // namespace crema::runtime
