#include "core/analyse/chunk_columns.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>

#include "core/base/error.hpp"

namespace crema {

namespace {

std::vector<double> quotients(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = ratio(a[i], b[i]);
  return result;
}

}  // namespace

std::vector<double> chunk_column(const Run& run, std::string_view name) {
  const Chunks& c = run.chunks;
  static const std::map<std::string_view, std::vector<double> Chunks::*> plain = {
      {"t_start", &Chunks::t_start},
      {"t_end", &Chunks::t_end},
      {"duration", &Chunks::duration},
      {"events", &Chunks::events},
      {"bytes_read", &Chunks::bytes_read},
      {"entry_start", &Chunks::entry_start},
      {"entry_stop", &Chunks::entry_stop},
      {"memory_before", &Chunks::memory_before},
      {"memory_after", &Chunks::memory_after},
      {"memory_delta", &Chunks::memory_delta},
      {"branches_accessed", &Chunks::branches_accessed},
      {"accessed_bytes", &Chunks::accessed_bytes},
  };
  if (const auto found = plain.find(name); found != plain.end()) return c.*found->second;
  if (name == "seconds_per_event") return quotients(c.duration, c.events);
  if (name == "memory_delta_per_event") return quotients(c.memory_delta, c.events);
  if (name == "lane") return pack_lanes(run);
  if (name == "outlier") return outliers(run);
  if (const auto found = c.extra.find(std::string(name)); found != c.extra.end()) {
    std::vector<double> column = found->second;
    column.resize(c.size(), absent);
    return column;
  }
  throw Failure(ErrorCode::bad_selection, "chunks have no numeric column " + std::string(name));
}

std::vector<double> pack_lanes(const Run& run) {
  const Chunks& chunks = run.chunks;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!is_absent(chunks.t_start[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(chunks.t_start[a], chunks.t_end[a], a) < std::tie(chunks.t_start[b], chunks.t_end[b], b);
  });
  std::vector<double> lanes(chunks.size(), absent);
  std::priority_queue<double, std::vector<double>, std::greater<>> free_lanes;
  using Busy = std::pair<double, double>;  // end, lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  double next_lane = 0;
  for (const std::size_t i : order) {
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

std::vector<double> outliers(const Run& run) {
  const std::vector<double> per_event = chunk_column(run, "seconds_per_event");
  std::map<StringId, std::vector<double>> by_dataset;
  for (std::size_t i = 0; i < per_event.size(); ++i) {
    if (!is_absent(per_event[i])) by_dataset[run.chunks.dataset[i]].push_back(per_event[i]);
  }
  std::map<StringId, double> limit;
  for (auto& [dataset, values] : by_dataset) {
    std::sort(values.begin(), values.end());
    limit[dataset] = values.size() < outlier_least ? absent : outlier_factor * quantile(values, 0.5);
  }
  std::vector<double> flags(per_event.size(), absent);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (is_absent(per_event[i])) continue;
    const double most = limit[run.chunks.dataset[i]];
    if (!is_absent(most)) flags[i] = per_event[i] > most ? 1 : 0;
  }
  return flags;
}

}  // namespace crema
