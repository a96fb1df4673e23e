// Rules about waiting, by its cause: locks, the interpreter's lock, too few cores, storage.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/model/worker_selection.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose::rules {

namespace {

using recorded_columns::Task;

// A quarter of the tasks' time: below it they count as busy with computing.
constexpr double worth_waiting = 0.25;
// A lock is certain where frames name it, and always undesirable: reported from 5 % on.
constexpr double worth_a_lock = 0.05;
// Reading that blocks for less than a tenth of the time is what any input costs.
constexpr double worth_reading = 0.1;
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
// Contention is the cause where it is most of the waiting: samples come late, and what blocks in
// native code looks like computing.
constexpr double most_of_waiting = 0.5;
// Time that follows the bytes to at least this part is time of transfer, not of requests.
constexpr double follows_bytes = 0.5;
// Of single requests to half of that: one that waits for others' bytes, too, follows its own less.
constexpr double requests_follow = 0.25;
constexpr std::size_t least_busy_ticks = 3;
// Who waits for the interpreter's lock asks again after 5 ms (sys.getswitchinterval()).
constexpr double turns = 200;  // [1/s]
// Where a process runs one task more or less at a time, its threads do not compete.
constexpr double several_threads = 1.5;
// Core-time of merging from which on its part off the CPU counts: five slices of a scheduler's 10
// ms.
constexpr double enough_merging = 0.05;  // [core-s]

Severity waiting_severity(double part) { return part >= 0.5 ? Severity::high : Severity::medium; }

/// What the processor's tasks did with their threads.
struct ThreadTime {
  double on_cpu = absent, off_cpu = absent;  ///< [core-s]
  BlockedShares blocked;
  MeasuredWaiting measured;

  explicit ThreadTime(const RunFacts& f)
      : on_cpu(activity_sum(f.run, f.processor, "thread-cpu", "seconds")),
        off_cpu(activity_sum(f.run, f.processor, "thread-noncpu", "seconds")),
        blocked(blocked_shares(f.run)),
        measured(measured_waiting(f.run)) {}

  double all() const { return on_cpu + off_cpu; }
  /// Off the CPU, although the samples stand in code that computes.
  double contended() const { return std::max(0.0, off_cpu - blocked.all * all()); }
  /// For want of a CPU, where rows of tasks tell; else what may be.
  double for_cpu() const { return value_or(measured.share_for_cpu() * all(), contended()); }
  /// Most of what was off the CPU was contended.
  bool is_mostly(double contended) const { return contended >= most_of_waiting * off_cpu; }
};

/// Whether cores are shared, by what only computes and is off the CPU where others have it: tasks
/// that merge results, and the unpacking and packing of all tasks. Unknown where hardly any ran.
enum class SharedCores : std::uint8_t { unknown, yes, no };

/// By what rows measured of the tasks themselves.
SharedCores shared_by_delay(const ThreadTime& time) {
  if (is_absent(time.measured.for_cpu)) return SharedCores::unknown;
  return time.for_cpu() >= most_of_waiting * time.contended() ? SharedCores::yes : SharedCores::no;
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
    if (busy < cores_are_there) return {SharedCores::no, busy};
    if (threads > machine.usable) return {SharedCores::yes, busy};
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
    std::map<StringId, Intervals> processes;
    double wall = 0, cpu = 0, switches = 0;
    std::vector<double> per_task;
  };
  const auto& tasks = run.recording.tasks;
  std::map<StringId, Sums> hosts;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    const double begin = tasks.at(Task::begin, row), wall = tasks.at(Task::wall, row);
    const double cpu = tasks.at(Task::cpu, row);
    if (run.text(tasks.text(Task::kind, row)) != "chunk" || is_absent(begin + wall + cpu)) continue;
    Sums& host = hosts[tasks.text(Task::host, row)];
    host.all.emplace_back(begin, begin + wall);
    host.processes[tasks.text(Task::address, row)].emplace_back(begin, begin + wall);
    host.wall += wall;
    host.cpu += cpu;
    host.switches += tasks.at(Task::voluntary_switches, row);
    host.per_task.push_back(ratio(cpu, wall));
  }
  std::vector<HostCpu> list;
  for (auto& [name, sums] : hosts) {
    const double length = covered(std::move(sums.all));
    HostCpu host{.host = run.text(name),
                 .threads = std::round(sums.wall / length),
                 .cores = sums.cpu / length,
                 .per_thread = std::move(sums.per_task),
                 .wake_ups = sums.switches / (sums.wall - sums.cpu)};
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

std::string largest_section(const Run& run) {
  const SectionSums sums = sum_sections(run, ChunkSelection(run, {}));
  const auto most =
      std::max_element(sums.seconds.begin(), sums.seconds.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == sums.seconds.end() ? "" : most->first;
}

/// [core-s] that tasks waited at moments which are reported as such: not the whole run's way.
double waited_at_moments(const Run& run) {
  double seconds = 0;
  for (const Anomaly& anomaly : anomalies(run)) {
    if (anomaly.kind == Anomaly::Kind::moment && anomaly.waits() && !anomaly.has_more_cores())
      seconds += anomaly.core_seconds;
  }
  return seconds;
}

/// Code that computes is off the CPU. Where there are enough cores a lock that native code takes
/// holds it, or, if tasks that only merge are off the CPU as well, a limit on the workers; else the
/// interpreter's lock, or too many threads.
std::vector<Finding> contention(const RunFacts& f, const ThreadTime& time) {
  const SharedCores by_delay = shared_by_delay(time);
  const double part = (time.contended() - waited_at_moments(f.run)) / time.all();
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
  Cause cause = Cause::oversubscribed;
  if (is_interpreter) cause = Cause::interpreter_lock;
  else if (machine.shared == SharedCores::no && gets_none) cause = Cause::cpu_limit;
  else if (shared == SharedCores::no) cause = Cause::native_lock;
  const bool is_certain = cause == Cause::native_lock
                              ? host.threads >= 2 && uses_one(host.cores) && host.is_steady()
                              : (shared != SharedCores::unknown || host.is_steady()) &&
                                    (cause == Cause::interpreter_lock || gets_less);
  if (!is_certain) return {};
  // No more threads than CPUs are not too many.
  if (cause == Cause::oversubscribed && host.threads <= usable_cpus(f.run)) return {};
  const bool has_cores = machine.shared == SharedCores::no;
  const bool may_lack_cores = cause == Cause::interpreter_lock && !has_cores &&
                              by_delay == SharedCores::unknown && by_merging != SharedCores::no &&
                              host.cores / workers <= more_than_one_core;
  const bool is_native = cause == Cause::native_lock;
  const bool is_told = by_delay != SharedCores::unknown || shared == SharedCores::no;
  const double share = is_told ? contended / time.all() : part;
  Severity severity =
      is_native ? Severity::medium : waiting_severity(is_interpreter ? part : share);
  // Two threads that only execute Python code wait for each other half of the time: so are they
  // meant.
  if (is_interpreter && severity < Severity::high) severity = Severity::low;
  return {
      {.cause = cause,
       .severity = severity,
       .evidence =
           CpuContention{.share = share,
                         .off_cpu = time.off_cpu / time.all(),
                         .blocked = time.blocked.all,
                         .for_cpu = time.measured.share_for_cpu(),
                         .host = std::string(host.host),
                         .threads = host.threads,
                         .cores = host.cores,
                         .workers = workers,
                         .host_busy = has_cores ? machine.busy : absent,
                         .merging_waits = by_merging == SharedCores::yes,
                         // Whose Python code holds the lock no sample says.
                         .function = is_interpreter ? OwnFunction{} : largest_own_function(f.run),
                         .section = is_interpreter ? "" : largest_section(f.run),
                         .patterns = code_patterns(f.run)},
       .core_seconds = contended,
       .open = may_lack_cores ? std::vector<Cause>{Cause::oversubscribed} : std::vector<Cause>{},
       .gain_core_seconds = is_native ? f.saved_by(contended) : absent,
       .rank = is_native ? absent : contended}};
}

std::vector<Finding> lock(const RunFacts& f, const ThreadTime& time) {
  // A task that waits for a lock is off the CPU.
  const double part = std::min(time.blocked.locks, time.off_cpu / time.all());
  if (!(part >= worth_a_lock)) return {};
  const double seconds = part * time.all();
  return {{.cause = Cause::lock,
           .severity = part >= worth_waiting ? Severity::high : Severity::medium,
           .evidence = Lock{part, time.blocked.lock_function,
                            time.blocked.reading_inside + time.blocked.reading_outside},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

/// How far the time that chunks wait grows with the bytes they read, 1 wholly, 0 not at all: as is
/// likely, at most and at least (with 95 % confidence, which about the same bytes leave wide).
struct Elasticity {
  double likely = absent, most = absent, least = absent;
};
Elasticity elasticity(const RunFacts& f, const std::vector<std::uint32_t>& chunks, double reading) {
  const Chunks& c = f.run.chunks;
  double seconds = 0, events = 0;
  for (const std::uint32_t i : chunks) {
    seconds += value_or(c.duration[i], 0);
    events += value_or(c.events[i], 0);
  }
  const double computing = (1 - reading) * seconds / events;  // [s] per event
  std::vector<double> bytes, waited;
  for (const std::uint32_t i : chunks) {
    const double wait = c.duration[i] - computing * c.events[i];
    if (is_absent(wait) || is_absent(c.bytes_read[i])) continue;
    bytes.push_back(c.bytes_read[i]);
    waited.push_back(wait);
  }
  const stats::LineRange range = stats::robust_line_range(bytes, waited);
  const double relative = median_of(bytes) / median_of(waited);
  return {range.line.slope * relative, range.steep.slope * relative};
}

/// The same of requests, by what was asked for of each branch and how long that took; of all
/// storage together. Absent where that was not recorded.
Elasticity elasticity_of_requests(const Run& run) {
  using recorded_columns::Branch;
  const auto& branches = run.recording.branches;
  std::vector<double> bytes, waited;
  for (std::size_t row = 0; row < branches.size(); ++row) {
    const double requests = branches.at(Branch::requests, row);
    const double each = branches.at(Branch::requested, row) / requests;
    const double wait = branches.at(Branch::wait, row) / requests;
    if (!(requests > 0) || !(each > 0) || !(wait > 0)) continue;
    bytes.push_back(each);
    waited.push_back(wait);
  }
  if (bytes.size() < enough_chunks) return {};
  const stats::LineRange range = stats::robust_line_range(bytes, waited);
  const double relative = median_of(bytes) / median_of(waited);
  return {range.line.slope * relative, range.steep.slope * relative, range.flat.slope * relative};
}

/// What chunks waited for requests of input, of their time, by their rows; absent where not
/// recorded.
double request_wait_share(const Run& run) {
  const std::vector<double> waits = measured_of_chunks(run, Task::request_wait);
  const std::vector<double> walls = measured_of_chunks(run, Task::wall);
  double waited = 0, wall = 0;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (is_absent(waits[i])) continue;
    waited += waits[i];
    wall += walls.empty() ? absent : walls[i];
  }
  return ratio(waited, wall);
}

/// [core-s] for which stragglers waited for requests of input, as their rows tell.
double waited_by_stragglers(const Run& run) {
  const std::vector<double>& flags = outliers(run);
  const std::vector<double> waits = measured_of_chunks(run, Task::request_wait);
  double waited = 0;
  for (std::size_t i = 0; i < waits.size(); ++i)
    waited += flags[i] == 1 ? value_or(waits[i], 0) : 0;
  return waited;
}

std::vector<Finding> bandwidth(const RunFacts& f, const ThreadTime& time) {
  const Chunks& c = f.run.chunks;
  const double measured = request_wait_share(f.run);
  const double reading = value_or(measured, time.blocked.reading_inside / time.blocked.inside);
  const bool is_much = is_absent(measured) ? reading >= worth_waiting
                                           : reading >= most_of_waiting * time.off_cpu / time.all();
  if (!is_much || !f.whole_list || !chunk_bytes_collected(f.run)) return {};
  std::vector<Finding> found;
  const ChunkGroups& hosts = chunk_groups(f.run, ChunkKey::host);
  const Elasticity by_requests = hosts.size() == 1 ? elasticity_of_requests(f.run) : Elasticity{};
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::vector<std::uint32_t> chunks;
    for (const std::uint32_t i : hosts.members(host)) {
      if (c.file[i] != no_string) chunks.push_back(i);
    }
    const bool follow = is_absent(by_requests.least)
                            ? elasticity(f, chunks, reading).likely >= follows_bytes
                            : by_requests.least >= requests_follow;
    if (chunks.size() < enough_chunks || !follow) continue;
    double bytes = 0, seconds = 0, begin = absent, end = absent;
    for (const std::uint32_t i : chunks) {
      bytes += value_or(c.bytes_read[i], 0);
      seconds += value_or(c.duration[i], 0);
      if (!(begin <= c.t_start[i])) begin = c.t_start[i];
      if (!(end >= c.t_end[i])) end = c.t_end[i];
    }
    const std::string name(hosts.name[host]);
    found.push_back({.cause = Cause::bandwidth_limited,
                     .severity = waiting_severity(reading),
                     .evidence = Bandwidth{name, bytes / (end - begin), reading,
                                           !is_absent(measured), seconds / (end - begin)},
                     .selection = {.hosts = {name}},
                     .core_seconds = reading * seconds,
                     .rank = reading * seconds});
  }
  return found;
}

/// Whether the chunks' bytes show that they wait for requests: the link is not the limit.
bool knows_latency(const RunFacts& f, const ThreadTime& time) {
  std::vector<std::uint32_t> all(f.run.chunks.size());
  std::iota(all.begin(), all.end(), 0);
  const Elasticity by_requests = elasticity_of_requests(f.run);
  if (!is_absent(by_requests.most)) return by_requests.most < requests_follow;
  return chunk_bytes_collected(f.run) &&
         elasticity(f, all, time.blocked.reading_inside / time.blocked.inside).most < follows_bytes;
}

}  // namespace

std::vector<Finding> waiting(const RunFacts& f) {
  const double wait = activity_sum(f.run, "thread-noncpu", "seconds");
  const double cpu = activity_sum(f.run, "thread-cpu", "seconds");
  const double part = ratio(wait, wait + cpu);
  const ThreadTime time(f);
  std::vector<Finding> found = lock(f, time);
  if (!(part >= worth_waiting)) return found;
  std::vector<Finding> others;
  for (const auto& rule : {foreign_load, library_threads}) {
    if (others.empty() && time.is_mostly(time.for_cpu()))
      others = rule(f, {time.for_cpu(), time.measured.share_for_cpu(), time.off_cpu / time.all()});
  }
  if (others.empty()) others = contention(f, time);
  for (Finding& finding : others) found.push_back(std::move(finding));
  const std::vector<Anomaly>& slow = anomalies(f.run);
  const bool waits_somewhere =
      std::any_of(slow.begin(), slow.end(), [](const Anomaly& a) { return a.waits(); });
  // Where one group waits, the link to all of them is not the limit.
  if (waits_somewhere) return found;
  // Nor where stragglers do: without them not much may be left.
  const double of_stragglers = waited_by_stragglers(f.run);
  if (!((wait - of_stragglers) / (wait + cpu - of_stragglers) >= worth_waiting)) return found;
  for (Finding& finding : bandwidth(f, time)) found.push_back(std::move(finding));
  // Waiting for files that are opened is reported with pre-processing and the time outside
  // process().
  if (!found.empty() || opening_seconds(f) >= most_of_waiting * wait) return found;
  const BlockedShares& blocked = time.blocked;
  const double requests = request_wait_share(f.run);
  WaitingTasks evidence{.share = part,
                        .waited = wait,
                        .on_cpu = cpu,
                        .reading = value_or(requests, blocked.reading_inside),
                        .is_measured = !is_absent(requests),
                        .own = blocked.elsewhere,
                        .for_cpu = time.measured.share_for_cpu(),
                        .function = blocked.elsewhere_function};
  if (evidence.for_cpu * time.all() >= most_of_waiting * wait) {
    evidence.what = WaitingTasks::For::cpu;
  } else if (evidence.reading >= worth_reading && evidence.reading * time.all() >= wait / 2) {
    evidence.what = WaitingTasks::For::input;
    evidence.knows_latency = knows_latency(f, time);
  } else if (!evidence.function.empty() && evidence.own * time.all() >= most_of_waiting * wait) {
    evidence.what = WaitingTasks::For::own_call;
  }
  const bool is_known = evidence.what != WaitingTasks::For::unknown;
  // How much of it can be saved is not known; it is ranked by what is beyond the usual.
  found.push_back({.cause = Cause::waiting,
                   .severity = waiting_severity(part),
                   .evidence = std::move(evidence),
                   .core_seconds = wait,
                   .grounds = is_known ? Grounds::measured : Grounds::unknown,
                   .rank = wait - worth_waiting * (wait + cpu)});
  return found;
}

}  // namespace crema::diagnose::rules
