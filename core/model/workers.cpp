#include "core/model/workers.hpp"

namespace crema {

void TickSeries::set(std::size_t tick, double value) {
  if (values.empty()) first_tick = static_cast<std::uint32_t>(tick);
  if (tick < first_tick) {
    values.insert(values.begin(), first_tick - tick, absent);
    first_tick = static_cast<std::uint32_t>(tick);
  }
  if (tick >= end_tick()) values.resize(tick - first_tick + 1, absent);
  values[tick - first_tick] = value;
}

std::size_t Workers::intern(StringId worker_address) {
  const auto [entry, is_new] =
      index_.try_emplace(worker_address, static_cast<std::uint32_t>(size()));
  if (is_new) {
    address.push_back(worker_address);
    name.push_back(no_string);
    host.push_back(no_string);
    nthreads.push_back(absent);
    memory_limit.push_back(absent);
    machine.emplace_back();
    for (auto& one : series) one.emplace_back();
  }
  return entry->second;
}

std::size_t Workers::find(StringId worker_address) const {
  const auto found = index_.find(worker_address);
  return found == index_.end() ? size() : found->second;
}

}  // namespace crema
