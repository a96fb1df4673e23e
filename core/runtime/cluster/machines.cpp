#include <algorithm>
#include <map>

#include "core/runtime/cluster.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

using recorded_columns::Machine;

/// A level that several processes of a host tell, a little apart: their mean.
struct Level {
  std::vector<double> sum, count;

  explicit Level(std::size_t ticks) : sum(ticks, 0), count(ticks, 0) {}
  void add(std::size_t tick, double value) {
    if (is_absent(value)) return;
    sum[tick] += value;
    count[tick] += 1;
  }
  double at(std::size_t tick) const { return ratio(sum[tick], count[tick]); }
};

/// What is of a host, whichever of its processes tells it: in the file, and here.
struct OfHost {
  Machine column;
  std::vector<double> MachineUse::*into;
  bool per_second;  ///< an amount since the row before
  bool is_largest;  ///< of the hosts; else their sum
};
constexpr OfHost of_hosts[] = {
    {Machine::busy, &MachineUse::busy, true, false},
    {Machine::swap_used, &MachineUse::swap_used, false, false},
    {Machine::pressure_cpu, &MachineUse::pressure_cpu, true, true},
    {Machine::pressure_memory, &MachineUse::pressure_memory, true, true},
    {Machine::pressure_io, &MachineUse::pressure_io, true, true},
    {Machine::disk_read, &MachineUse::disk_read, true, false},
    {Machine::disk_written, &MachineUse::disk_written, true, false},
    {Machine::received, &MachineUse::received, true, false},
    {Machine::sent, &MachineUse::sent, true, false},
    {Machine::longest_lag, &MachineUse::loop_lag, false, true},
};

/// Adds a host's value to that of the others.
void add(double& into, double value, bool is_largest) {
  if (is_absent(value)) return;
  into = is_absent(into) ? value : is_largest ? std::max(into, value) : into + value;
}

MachineUse use_of(const Run& run, const WorkerSelection& workers) {
  const auto& rows = run.recording.machine;
  const std::vector<double>& ticks = run.ticks;
  MachineUse use;
  if (rows.size() == 0) return use;
  for (auto* column :
       {&use.busy, &use.own, &use.others, &use.usable, &use.throttled, &use.swap_used,
        &use.pressure_cpu, &use.pressure_memory, &use.pressure_io, &use.disk_read,
        &use.disk_written, &use.received, &use.sent, &use.client, &use.scheduler, &use.loop_lag})
    column->assign(ticks.size(), absent);
  const auto is_chosen = [&](std::size_t row) {
    return workers.all || workers.holds(run, rows.text(Machine::address, row));
  };
  std::map<StringId, std::vector<std::size_t>> hosts;
  for (std::size_t row = 0; row < rows.size(); ++row)
    hosts[rows.text(Machine::host, row)].push_back(row);
  for (const auto& [host, of_host] : hosts) {
    if (std::none_of(of_host.begin(), of_host.end(), is_chosen)) continue;
    std::vector<Level> levels(std::size(of_hosts), Level(ticks.size()));
    Level usable(ticks.size());
    std::vector<double> ours(ticks.size(), absent);
    for (const std::size_t row : of_host) {
      const double begin = rows.at(Machine::begin, row), wall = rows.at(Machine::wall, row);
      const auto first = std::lower_bound(ticks.begin(), ticks.end(), begin) - ticks.begin();
      for (auto tick = static_cast<std::size_t>(first);
           tick < ticks.size() && ticks[tick] < begin + wall; ++tick) {
        for (std::size_t i = 0; i < levels.size(); ++i)
          levels[i].add(tick,
                        rows.at(of_hosts[i].column, row) / (of_hosts[i].per_second ? wall : 1));
        usable.add(tick, std::fmin(rows.at(Machine::usable, row), rows.at(Machine::quota, row)));
        const double own = rows.at(Machine::own, row) / wall;
        add(ours[tick], own, false);
        const std::string_view who = run.text(rows.text(Machine::worker, row));
        if (who == "client") add(use.client[tick], own, false);
        if (who == "scheduler") add(use.scheduler[tick], own, false);
        if (!is_chosen(row)) continue;
        add(use.own[tick], own, false);
        add(use.throttled[tick], rows.at(Machine::throttled, row) / wall, true);
      }
    }
    for (std::size_t tick = 0; tick < ticks.size(); ++tick) {
      for (std::size_t i = 0; i < levels.size(); ++i)
        add((use.*of_hosts[i].into)[tick], levels[i].at(tick), of_hosts[i].is_largest);
      add(use.usable[tick], usable.at(tick), false);
      add(use.others[tick], std::max(0.0, levels[0].at(tick) - ours[tick]), false);
    }
  }
  return use;
}

}  // namespace

const MachineUse& machine_use(const Run& run) {
  return kept_of(run).machine_use.of([&] { return use_of(run, WorkerSelection(run, {})); });
}

MachineUse machine_use(const Run& run, const WorkerSelection& workers) {
  return workers.all ? machine_use(run) : use_of(run, workers);
}

}  // namespace crema::runtime
