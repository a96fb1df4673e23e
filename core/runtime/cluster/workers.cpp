#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/collect.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/facts.hpp"

namespace crema::runtime {

namespace {

/// Whether the recorded series stand in `worker_series_names` in the order of `Series`.
constexpr bool names_agree() {
  std::string_view left = worker_series_names;
  left.remove_prefix(std::string_view("cpu_share, memory_utilization").size());
  for (const std::string_view name : series_names) {
    if (left.substr(2, name.size()) != name) return false;
    left.remove_prefix(2 + name.size());
  }
  return left.empty();
}
static_assert(names_agree());

}  // namespace

WorkerSeries WorkerSeries::of(const Options& options, const Option& option) {
  const auto index = options.choice<std::size_t>(option);
  if (index == 0) return {Series::cpu, Per::thread};
  if (index == 1) return {Series::memory, Per::limit};
  return {static_cast<Series>(index - 2)};
}

std::string_view WorkerSeries::unit() const {
  return per != Per::worker ? "1" : series_units[static_cast<std::size_t>(which)];
}

std::string_view WorkerSeries::formula() const {
  if (per == Per::thread) return "process CPU / nthreads; ";
  if (per == Per::limit) return "resident memory / limit; ";
  return which == Series::last_seen ? "tick − last heartbeat; " : "";
}

double WorkerSeries::value(const Run& run, std::size_t worker, std::size_t k) const {
  const TickSeries& of = series(run, worker);
  const double value = of.values[k];
  if (is_absent(value)) return absent;
  const std::size_t tick = of.first_tick + k;
  if (per == Per::thread) return ratio(value, nthreads_at(run, worker, tick));
  if (per == Per::limit) {
    const double limit = run.workers.of(Series::memory_limit, worker).at(tick);
    return limit > 0 ? value / limit : absent;
  }
  if (which != Series::last_seen) return value;
  // 0 = not heard of yet
  return value > 0 ? run.clock.zero_epoch + run.ticks[tick] - value : absent;
}

Moments WorkerSeries::moments(const Run& run, std::size_t worker, TickRange ticks) const {
  const TickSeries& of = series(run, worker);
  std::vector<double> values;
  const std::size_t end = std::min(ticks.end, of.end_tick());
  for (std::size_t tick = std::max<std::size_t>(ticks.begin, of.first_tick); tick < end; ++tick)
    values.push_back(value(run, worker, tick - of.first_tick));
  return crema::moments(values);
}

std::set<StringId> hosts_of_workers(const Run& run) {
  const auto& rows = run.recording.machine;
  std::set<StringId> of_workers, all;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const StringId host = rows.text(recorded_columns::Machine::host, row);
    const std::string_view who = run.text(rows.text(recorded_columns::Machine::worker, row));
    all.insert(host);
    if (who != "client" && who != "scheduler") of_workers.insert(host);
  }
  return of_workers.empty() ? all : of_workers;
}

double memory_limit(const Run& run, std::size_t worker) {
  const double ticked = run.workers.of(Series::memory_limit, worker).last({0, run.ticks.size()});
  return value_or(ticked, run.workers.memory_limit[worker]);
}

std::vector<double> peaks_of_tasks(const Run& run, const Selection& selection) {
  using recorded_columns::Task;
  const auto& rows = run.recording.tasks;
  std::vector<double> peaks(run.workers.size(), absent);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t worker = run.workers.find(rows.text(Task::address, row));
    const double begin = rows.at(Task::begin, row);
    if (worker == peaks.size() ||
        (selection.time && !(begin < selection.time->end &&
                             begin + rows.at(Task::wall, row) > selection.time->begin)))
      continue;
    peaks[worker] = std::fmax(peaks[worker], rows.at(Task::rss_peak, row));
  }
  return peaks;
}

TightestWorker tightest_worker(const Run& run) {
  TightestWorker tightest;
  const std::vector<double> of_tasks = peaks_of_tasks(run, {});
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Moments used = moments(run.workers.of(Series::memory, w).values);
    const double limit = memory_limit(run, w);
    const double peak = std::fmax(used.max, of_tasks[w]);
    if (is_absent(peak) || !(limit > 0)) continue;
    if (!(peak / limit <= tightest.peak / tightest.limit)) tightest = {used.min, peak, limit};
  }
  return tightest;
}

double in_steps(double bytes) {
  constexpr double step = 128.0 * 1024 * 1024;
  return std::ceil(bytes / step) * step;
}

std::vector<Pause> pauses_of(const Run& run) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Pause> pauses;
  std::vector<std::size_t> open(run.workers.size(), none);  // by worker: its open pause, an index
  for (const WorkerEvent& event : run.worker_events) {
    const std::size_t worker = run.workers.find(event.worker);
    if (worker == open.size()) continue;
    if (event.kind == "paused" && open[worker] == none) {
      open[worker] = pauses.size();
      pauses.push_back({worker, event.t, run.window().end, event.value});
    } else if (event.kind == "resumed" && open[worker] != none) {
      pauses[open[worker]].end = event.t;
      open[worker] = none;
    }
  }
  return pauses;
}

namespace {

using recorded_columns::Machine;

/// A level that several processes of a host tell, a little apart: their mean.
struct TickMeans {
  std::vector<double> sum, count;

  explicit TickMeans(std::size_t ticks) : sum(ticks, 0), count(ticks, 0) {}
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

}  // namespace

std::string_view process_of(std::string_view address) {
  return address.starts_with("inproc://") ? address.substr(0, address.rfind('/')) : address;
}

namespace {

MachineUse use_of(const Run& run, const WorkerSelection& workers) {
  const auto& rows = run.recording.machine;
  const std::vector<double>& ticks = run.ticks;
  MachineUse use;
  if (rows.size() == 0) return use;
  for (auto* column : {&use.busy, &use.own, &use.others, &use.usable, &use.throttled,
                       &use.swap_used, &use.pressure_cpu, &use.pressure_memory, &use.pressure_io,
                       &use.disk_read, &use.disk_written, &use.received, &use.sent, &use.client,
                       &use.started, &use.scheduler, &use.loop_lag})
    column->assign(ticks.size(), absent);
  const auto is_chosen = [&](std::size_t row) {
    return workers.all || workers.holds(run, rows.text(Machine::address, row));
  };
  std::map<StringId, std::vector<std::size_t>> hosts;
  for (std::size_t row = 0; row < rows.size(); ++row)
    hosts[rows.text(Machine::host, row)].push_back(row);
  const std::set<StringId> of_workers = hosts_of_workers(run);
  for (const auto& [host, of_host] : hosts) {
    if (none_of(of_host, is_chosen)) continue;
    const bool is_used = of_workers.contains(host);
    std::vector<TickMeans> levels(std::size(of_hosts), TickMeans(ticks.size()));
    TickMeans usable(ticks.size());
    std::vector<double> ours(ticks.size(), absent), by_client(ticks.size(), absent);
    std::map<StringId, std::vector<bool>> seen;  // by worker, at which ticks it said something
    double client_pid = absent;
    for (const std::size_t row : of_host)
      if (run.text(rows.text(Machine::worker, row)) == "client")
        client_pid = rows.at(Machine::pid, row);
    for (const std::size_t row : of_host) {
      const double begin = rows.at(Machine::begin, row), wall = rows.at(Machine::wall, row);
      const double own = rows.at(Machine::own, row) / wall;
      const double children = value_or(rows.at(Machine::children, row), 0) / wall;
      const double pid = rows.at(Machine::pid, row);
      const StringId address = rows.text(Machine::address, row);
      const std::string_view who = run.text(rows.text(Machine::worker, row));
      const bool is_client = who == "client";
      // What the client tells of its process holds a scheduler in it, and workers in it.
      const std::string_view at = run.text(address);
      const bool is_in_client =
          !is_client && pid == client_pid && (who == "scheduler" || process_of(at) != at);
      // Workers may be the client's children: which is more holds both.
      const double of_run = is_client ? own : own + children;
      std::vector<bool>& said = seen.try_emplace(address, ticks.size()).first->second;
      const auto first = std::lower_bound(ticks.begin(), ticks.end(), begin) - ticks.begin();
      for (auto tick = static_cast<std::size_t>(first);
           tick < ticks.size() && ticks[tick] < begin + wall; ++tick) {
        for (std::size_t i = 0; i < levels.size(); ++i)
          levels[i].add(tick,
                        rows.at(of_hosts[i].column, row) / (of_hosts[i].per_second ? wall : 1));
        usable.add(tick, std::fmin(rows.at(Machine::usable, row), rows.at(Machine::quota, row)));
        said[tick] = true;
        if (!is_in_client) add(ours[tick], of_run, false);
        if (is_client) add(by_client[tick], own + children, false);
        if (is_client) add(use.client[tick], own, false);
        if (who == "scheduler") add(use.scheduler[tick], own, false);
        if (!is_chosen(row) || !is_used) continue;
        if (!is_in_client || !workers.all) add(use.own[tick], of_run, false);
        add(use.throttled[tick], rows.at(Machine::throttled, row) / wall, true);
      }
    }
    for (std::size_t tick = 0; tick < ticks.size(); ++tick) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (is_used || of_hosts[i].column == Machine::longest_lag)
          add((use.*of_hosts[i].into)[tick], levels[i].at(tick), of_hosts[i].is_largest);
      }
      if (!is_used) continue;
      add(use.usable[tick], usable.at(tick), false);
      const double of_run = std::fmax(ours[tick], by_client[tick]);
      const double started = by_client[tick] - ours[tick];
      // A worker that is blocked tells nothing: what it uses meanwhile only its parent knows.
      const bool is_silent = any_of(seen, [&](const auto& one) {
        const std::size_t worker = run.workers.find(one.first);
        return worker < run.workers.size() && present_at(run.workers, worker, tick) &&
               !one.second[tick];
      });
      if (!is_absent(started) && !is_silent) add(use.started[tick], std::max(0.0, started), false);
      if (is_silent && workers.all) add(use.own[tick], std::max(0.0, value_or(started, 0)), false);
      const double others = levels[0].at(tick) - of_run;
      // Where the host's busy CPUs are not told, those of others are unknown, and not 0.
      if (!is_absent(others)) add(use.others[tick], std::max(0.0, others), false);
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
