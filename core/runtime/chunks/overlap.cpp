// Which chunks ran at the same time: steps, lanes, and how many shared a host.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "core/base/elementary.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

Steps chunk_steps_with(const Run& run, std::span<const std::size_t> tasks) {
  const Chunks& c = run.chunks;
  std::vector<double> starts, ends;
  const auto add = [&](double start, double end) {
    if (is_absent(start) || is_absent(end)) return;
    starts.push_back(start);
    ends.push_back(end);
  };
  for (std::size_t i = 0; i < c.size(); ++i) add(c.t_start[i], c.t_end[i]);
  for (const std::size_t task : tasks) add(run.tasks.t0[task], run.tasks.t1[task]);
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

const Steps& chunk_steps(const Run& run) {
  return kept_of(run).chunk_steps.of([&] { return chunk_steps_with(run, {}); });
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

std::vector<bool> first_of_workers(const Run& run) {
  const Chunks& c = run.chunks;
  std::vector<bool> is_first(c.size(), false);
  std::map<StringId, std::uint32_t> first;  // by worker
  for (std::uint32_t i = 0; i < c.worker.size(); ++i) {
    if (c.worker[i] == no_string || is_absent(c.t_start[i])) continue;
    std::uint32_t& known = first.try_emplace(c.worker[i], i).first->second;
    if (c.t_start[i] < c.t_start[known]) known = i;
  }
  for (std::uint32_t i = 0; i < c.worker.size(); ++i) {
    const auto known = first.find(c.worker[i]);
    is_first[i] =
        known != first.end() && (known->second == i || c.t_start[i] < c.t_end[known->second]);
  }
  return is_first;
}

const std::vector<double>& host_loads(const Run& run) {
  return kept_of(run).host_loads.of([&] { return compute_host_loads(run); });
}

const std::vector<double>& pack_lanes(const Run& run) {
  return kept_of(run).lanes.of([&] { return compute_lanes(run); });
}

// Chunks held against their like: a number per event or request, by dataset.

namespace {

// The median of a dataset is that of its other chunks, too, where a group has less than this part.
constexpr double small_part = 0.1;

}  // namespace

std::vector<double> picked(const std::vector<double>& values,
                           std::span<const std::uint32_t> chunks) {
  std::vector<double> present;
  present.reserve(chunks.size());
  for (const std::uint32_t i : chunks) {
    if (!is_absent(values[i])) present.push_back(values[i]);
  }
  return present;
}

Paces::Paces(const Run& run, const std::vector<double>& amounts, const std::vector<double>& count)
    : datasets_(chunk_groups(run, ChunkKey::dataset)) {
  logs.assign(count.size(), absent);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double each = amounts[i] / count[i];
    if (each > 0 && std::isfinite(each)) logs[i] = elementary::log(each);
  }
  usual.reserve(datasets_.size());
  for (std::size_t d = 0; d < datasets_.size(); ++d)
    usual.push_back(median_of(picked(logs, datasets_.members(d))));
}

std::vector<double> Paces::against_others(std::span<const std::uint32_t> chunks) const {
  std::vector<std::uint32_t> own(chunks.begin(), chunks.end());
  std::sort(own.begin(), own.end());
  // The datasets of these chunks only: there may be as many groups as datasets.
  struct Touched {
    std::uint32_t dataset;
    double chunks = 0, usual = absent;
  };
  std::vector<Touched> touched;
  const auto at = [&](std::uint32_t dataset) {
    return std::lower_bound(touched.begin(), touched.end(), dataset,
                            [](const Touched& one, std::uint32_t d) { return one.dataset < d; });
  };
  for (const std::uint32_t i : own) {
    auto place = at(datasets_.of[i]);
    if (place == touched.end() || place->dataset != datasets_.of[i])
      place = touched.insert(place, {datasets_.of[i]});
    place->chunks += 1;
  }
  for (Touched& one : touched) {
    const std::span<const std::uint32_t> all = datasets_.members(one.dataset);
    one.usual = usual[one.dataset];
    if (one.chunks < small_part * static_cast<double>(all.size())) continue;
    std::vector<double> values;
    values.reserve(all.size());
    auto mine = own.begin();  // both ascend
    for (const std::uint32_t i : all) {
      mine = std::lower_bound(mine, own.end(), i);
      if ((mine == own.end() || *mine != i) && !is_absent(logs[i])) values.push_back(logs[i]);
    }
    one.usual = values.size() < least_others ? absent : median_of(std::move(values));
  }
  std::vector<double> differences;
  differences.reserve(chunks.size());
  for (const std::uint32_t i : chunks) {
    const double difference = logs[i] - at(datasets_.of[i])->usual;
    if (!is_absent(difference)) differences.push_back(difference);
  }
  return differences;
}

double Paces::times_others(std::span<const std::uint32_t> chunks) const {
  return elementary::exp(median_of(against_others(chunks)));
}

}  // namespace crema::runtime
