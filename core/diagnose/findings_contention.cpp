// Code that computes and is off the CPU: for want of one, for the interpreter's lock or another.
#include <cmath>
#include <limits>
#include <map>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose::rules {

namespace {

using recorded_columns::Task;

// While every thread of a worker runs a task: the CPU of a process that executes Python code in one
// thread at a time. Libraries release the lock for a part of their work.
constexpr double least_of_one_core = 0.75;
constexpr double most_of_one_core = 1.5;
// More than the single core that would be there, were cores what is missing.
constexpr double more_than_one_core = 1.05;
// Threads that get less than this part of a core share it.
constexpr double shared_core = 0.75;
// What shares cores gets a steady part of them: its quartiles lie at most so much of the median
// apart. Waiting for storage comes and goes with the files.
constexpr double steady = 0.2;
constexpr std::size_t least_busy_ticks = 3;
// Where a process runs one task more or less at a time, its threads do not compete.
constexpr double several_threads = 1.5;
// Core-time of merging from which on its part off the CPU counts: five slices of 10 ms.
constexpr double enough_merging = 0.05;  // [core-s]

/// Whether cores are shared, by what only computes and is off the CPU where others have it: tasks
/// that merge results, and the unpacking and packing of all tasks. Unknown where hardly any ran.
enum class SharedCores : std::uint8_t { unknown, yes, no };

/// By what rows measured of the tasks themselves.
SharedCores shared_by_delay(const ThreadTime& time) {
  if (is_absent(time.measured.for_cpu)) return SharedCores::unknown;
  return time.lacks_cpu() ? SharedCores::yes : SharedCores::no;
}

SharedCores shared_by_merging(const Run& run) {
  const StringId reduce = run.names->strings.find("reduce");
  double off = value_or(activity_sum(run, reduce, "thread-noncpu", "seconds"), 0);
  double all = off + value_or(activity_sum(run, reduce, "thread-cpu", "seconds"), 0);
  const auto& tasks = run.recording.tasks;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    for (const auto& [wall, cpu] : {std::pair(Task::unpack_wall, Task::unpack_cpu),
                                    std::pair(Task::serialise_wall, Task::serialise_cpu)}) {
      off += std::max(0.0, value_or(tasks.at(wall, row) - tasks.at(cpu, row), 0));
      all += value_or(tasks.at(wall, row), 0);
    }
  }
  if (!(all >= enough_merging)) return SharedCores::unknown;
  return off >= worth_waiting * all ? SharedCores::yes : SharedCores::no;
}

// A host whose CPUs idle for a quarter of the time has cores for all who want one.
constexpr double cores_are_there = 0.75;

/// The same by a host's CPUs, where the recorder asked for them; else unknown.
struct HostCpuEvidence {
  SharedCores shared = SharedCores::unknown;
  double busy = absent;  ///< share of the host's CPUs
};

HostCpuEvidence shared_by_machine(const Run& run, std::string_view host, double threads) {
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Machine& machine = run.workers.machine[w];
    if (run.workers.host[w] == no_string || run.text(run.workers.host[w]) != host) continue;
    const double busy = ratio(machine.busy, machine.cpus);
    const bool too_few = threads > machine.usable;
    // Of CPUs that the workers may not use it says nothing that these idle.
    if (busy < cores_are_there) return {too_few ? SharedCores::unknown : SharedCores::no, busy};
    if (too_few) return {SharedCores::yes, busy};
  }
  // What `crema.record` measured each second, where there is one host, while chunks ran.
  const std::vector<std::uint32_t>& order = chunks_by_start(run);
  if (run.recording.machine.size() == 0 || order.empty()) return {};
  const StringId first = run.workers.host.empty() ? no_string : run.workers.host.front();
  if (std::any_of(run.workers.host.begin(), run.workers.host.end(),
                  [&](StringId other) { return other != first; }))
    return {};
  const MachineUse& use = machine_use(run);
  const TickRange ticks =
      ticks_within(run, run.chunks.t_start[order.front()], run.chunks.t_start[order.back()]);
  double busy = 0, usable = 0;
  for (std::size_t tick = ticks.begin; tick < ticks.end; ++tick) {
    busy += value_or(use.busy[tick], 0);
    usable += value_or(use.usable[tick], 0);
  }
  if (!(usable > 0)) return {};
  if (busy < cores_are_there * usable) return {SharedCores::no, busy / usable};
  if (busy >= all_busy * usable) return {SharedCores::yes, busy / usable};
  return {};
}

/// The CPU of a host's workers while each of their threads ran a task, at the ticks when most did:
/// workers that came after others had left are no more threads than there were at once. Of rows of
/// tasks the means while any ran.
struct HostCpu {
  std::string_view host;
  double threads = 0, cores = 0;     ///< at once
  double workers = 0, several = 0;   ///< at once; of them with several threads
  std::vector<double> per_thread{};  ///< of a core, at each tick, or of each task
  double wake_ups = absent;          ///< [1/s] while tasks were off the CPU
  bool is_mean = false;              ///< of all the time while any task ran

  bool is_steady() const {
    const std::vector<double> sorted = sorted_present(per_thread);
    return quantile(sorted, 0.75) - quantile(sorted, 0.25) <= steady * quantile(sorted, 0.5);
  }
};

/// For how long [s] any of the intervals lasts.
double covered(std::vector<std::pair<double, double>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  double sum = 0, last = -std::numeric_limits<double>::infinity();
  for (const auto& [begin, end] : intervals) {
    sum += std::max(0.0, end - std::max(begin, last));
    last = std::max(last, end);
  }
  return sum;
}

/// By what `crema.record` measured of each task.
std::vector<HostCpu> cpu_by_rows(const Run& run) {
  using Intervals = std::vector<std::pair<double, double>>;
  struct Sums {
    Intervals all;
    std::map<std::string_view, Intervals> processes;
    double wall = 0, cpu = 0, switches = 0;
    std::vector<double> per_task;
  };
  const auto& tasks = run.recording.tasks;
  std::map<StringId, Sums> hosts;
  for (const std::size_t row : rows_of_chunks(run)) {
    const double begin = tasks.at(Task::begin, row), wall = tasks.at(Task::wall, row);
    const double cpu = tasks.at(Task::cpu, row);
    if (is_absent(begin + wall + cpu)) continue;
    Sums& host = hosts[tasks.text(Task::host, row)];
    host.all.emplace_back(begin, begin + wall);
    host.processes[process_of(run.text(tasks.text(Task::address, row)))].emplace_back(begin,
                                                                                      begin + wall);
    host.wall += wall;
    host.cpu += cpu;
    // A page of a file that is not in memory is no lock.
    host.switches +=
        tasks.at(Task::voluntary_switches, row) - value_or(tasks.at(Task::major_faults, row), 0);
    host.per_task.push_back(ratio(cpu, wall));
  }
  std::vector<HostCpu> list;
  for (auto& [name, sums] : hosts) {
    const double length = covered(std::move(sums.all));
    HostCpu host{.host = run.text(name),
                 .threads = std::round(sums.wall / length),
                 .cores = sums.cpu / length,
                 .per_thread = std::move(sums.per_task),
                 .wake_ups = sums.switches / (sums.wall - sums.cpu),
                 .is_mean = true};
    double alive = 0;
    for (auto& [address, ran] : sums.processes) alive += covered(std::move(ran));
    host.workers = std::max(1.0, std::round(alive / length));
    host.several = sums.wall >= several_threads * alive ? host.workers : 0;
    list.push_back(std::move(host));
  }
  return list;
}

// Of the most threads that ran tasks at once: with a quarter fewer, others have what they leave.
constexpr double nearly_most = 0.75;

/// What all workers of a host did at a tick that had a task for each of their threads.
struct FullTick {
  double cores = 0, threads = 0, workers = 0, several = 0;
};

HostCpu cpu_of(std::string_view name, const std::vector<FullTick>& ticks) {
  HostCpu host{.host = name};
  for (const FullTick& tick : ticks) {
    host.threads = std::max(host.threads, tick.threads);
    host.workers = std::max(host.workers, tick.workers);
    host.several = std::max(host.several, tick.several);
    host.per_thread.push_back(ratio(tick.cores, tick.threads));
  }
  FullTick sum;
  std::size_t counted = 0;
  for (const FullTick& tick : ticks) {
    if (tick.threads < nearly_most * host.threads || tick.threads == 0) continue;
    sum.cores += tick.cores;
    sum.threads += tick.threads;
    counted += 1;
  }
  host.cores = counted < least_busy_ticks ? absent : host.threads * ratio(sum.cores, sum.threads);
  return host;
}

std::vector<HostCpu> cpu_when_full(const Run& run) {
  std::vector<HostCpu> list = cpu_by_rows(run);
  std::map<std::string_view, std::vector<FullTick>> hosts;
  for (std::size_t w = 0; w < run.workers.size() && list.empty(); ++w) {
    if (run.workers.host[w] == no_string) continue;
    std::vector<FullTick>& ticks = hosts[run.text(run.workers.host[w])];
    ticks.resize(run.ticks.size());
    const TickSeries& cpu = run.workers.of(Series::cpu, w);
    for (std::size_t tick = cpu.first_tick; tick < cpu.end_tick(); ++tick) {
      const double all = nthreads_at(run, w, tick);
      if (!(run.workers.of(Series::executing, w).at(tick) >= all) || is_absent(cpu.at(tick)))
        continue;
      ticks[tick].cores += cpu.at(tick);
      ticks[tick].threads += all;
      ticks[tick].workers += 1;
      ticks[tick].several += all >= 2 ? 1 : 0;
    }
  }
  for (const auto& [name, ticks] : hosts) {
    if (HostCpu host = cpu_of(name, ticks); !is_absent(host.cores)) list.push_back(std::move(host));
  }
  // The one with least of a core for a thread.
  sort_stably(list, [](const HostCpu& a, const HostCpu& b) {
    return a.cores * b.threads < b.cores * a.threads;
  });
  return list;
}

/// [core-s] that the tasks of a worker were off the CPU, as their rows tell.
double off_cpu_of(const Run& run, std::string_view worker) {
  const auto& tasks = run.recording.tasks;
  double seconds = 0;
  for (const std::size_t row : rows_of_chunks(run)) {
    if (run.text(tasks.text(Task::address, row)) == worker)
      seconds += value_or(tasks.at(Task::wall, row) - tasks.at(Task::cpu, row), 0);
  }
  return seconds;
}

/// [core-s] that tasks waited at moments or on workers which are reported as such: on a worker
/// outside process(), and in its first chunk, too.
double waited_in_groups(const Run& run) {
  double seconds = 0;
  for (const Anomaly& anomaly : anomalies(run)) {
    if (!anomaly.waits() || anomaly.has_more_cores()) continue;
    if (anomaly.kind == Anomaly::Kind::moment) seconds += anomaly.core_seconds;
    if (anomaly.kind == Anomaly::Kind::worker)
      seconds += std::max(anomaly.core_seconds, off_cpu_of(run, anomaly.name));
  }
  return seconds;
}

}  // namespace

std::vector<Finding> contention(const RunFacts& f, const ThreadTime& time) {
  const SharedCores by_delay = shared_by_delay(time);
  const double part = (time.contended() - waited_in_groups(f.run)) / time.all();
  const std::vector<HostCpu> hosts = cpu_when_full(f.run);
  if (!(part >= worth_waiting) || !time.is_mostly(time.contended()) || hosts.empty()) return {};
  // Of the two that rows tell apart the larger one.
  const double contended =
      by_delay == SharedCores::no ? time.contended() - time.for_cpu() : time.for_cpu();
  const HostCpu& host = hosts.front();
  const HostCpuEvidence machine = shared_by_machine(f.run, host.host, host.threads);
  const SharedCores by_merging = shared_by_merging(f.run);
  const SharedCores shared = by_delay != SharedCores::unknown         ? by_delay
                             : machine.shared != SharedCores::unknown ? machine.shared
                                                                      : by_merging;
  const double workers = host.workers;
  const bool gets_less = host.cores <= shared_core * host.threads;
  const auto uses_one = [](double cores) {
    return cores >= least_of_one_core && cores <= most_of_one_core;
  };
  const bool takes_turns = is_absent(host.wake_ups) ? uses_one(host.cores / workers)
                                                    : gets_less && host.wake_ups >= turns;
  const bool is_interpreter =
      by_delay != SharedCores::yes && host.several * 2 > host.workers && takes_turns;
  const bool gets_none = by_delay == SharedCores::yes || by_merging == SharedCores::yes;
  const double throttled = moments(machine_use(f.run).throttled).mean;
  const bool has_quota = gets_none && throttled >= notable;
  Cause cause = Cause::oversubscribed;
  if (is_interpreter) cause = Cause::interpreter_lock;
  else if (has_quota || (machine.shared == SharedCores::no && gets_none)) cause = Cause::cpu_limit;
  else if (shared == SharedCores::no) cause = Cause::native_lock;
  const bool is_certain = cause == Cause::native_lock
                              ? host.threads >= 2 && uses_one(host.cores) && host.is_steady()
                              : (shared != SharedCores::unknown || host.is_steady()) &&
                                    (cause == Cause::interpreter_lock || gets_less);
  if (!is_certain) return {};
  // No more threads than CPUs are not too many; a single thread never is.
  if (cause == Cause::oversubscribed && host.threads <= value_or(usable_cpus(f.run), 1)) return {};
  double usable = absent, cpus = absent;
  const auto& rows = f.run.recording.machine;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (f.run.text(rows.text(recorded_columns::Machine::host, row)) != host.host) continue;
    usable = std::fmin(usable, rows.at(recorded_columns::Machine::usable, row));
    cpus = std::fmax(cpus, rows.at(recorded_columns::Machine::cpus, row));
  }
  if (!(usable < cpus)) usable = cpus = absent;
  const bool has_cores = machine.shared == SharedCores::no;
  const bool may_lack_cores = cause == Cause::interpreter_lock && !has_cores &&
                              by_delay == SharedCores::unknown && by_merging != SharedCores::no &&
                              host.cores / workers <= more_than_one_core;
  const bool is_native = cause == Cause::native_lock;
  const bool is_told = by_delay != SharedCores::unknown || shared == SharedCores::no;
  const double share = is_told ? contended / time.all() : part;
  Severity severity =
      is_native ? Severity::medium : waiting_severity(is_interpreter ? part : share);
  // Two threads that only execute Python code wait half of the time: so are they meant.
  if (is_interpreter && severity < Severity::high) severity = Severity::low;
  return {
      {.cause = cause,
       .severity = severity,
       .evidence = CpuContention{.share = share,
                                 .off_cpu = off_cpu_share(f.run),
                                 .blocked = time.blocked.all,
                                 .for_cpu = time.measured.share_for_cpu(),
                                 .host = std::string(host.host),
                                 .threads = host.threads,
                                 .cores = host.cores,
                                 .workers = workers,
                                 .is_mean = host.is_mean,
                                 .host_busy = has_cores ? machine.busy : absent,
                                 .merging_waits = by_merging == SharedCores::yes,
                                 .throttled = has_quota ? throttled : absent,
                                 .place = is_native ? waiting_place(f.run) : WaitingPlace{},
                                 .usable = usable,
                                 .cpus = cpus},
       .core_seconds = contended,
       .open = may_lack_cores ? std::vector<Cause>{Cause::oversubscribed} : std::vector<Cause>{},
       .gain_core_seconds = is_native ? f.saved_by(contended) : absent,
       .rank = is_native ? absent : contended}};
}

}  // namespace crema::diagnose::rules
