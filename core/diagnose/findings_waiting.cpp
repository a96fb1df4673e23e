// Rules about waiting, by its cause: locks, the interpreter's lock, too few cores, storage.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/anomalies.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

// A quarter of the tasks' time: below it they count as busy with computing.
constexpr double worth_waiting = 0.25;
// A lock is certain where frames name it, and nobody wants one: a twentieth is worth a line.
constexpr double worth_a_lock = 0.05;
// Reading that blocks for less than a tenth of the time is what any input costs.
constexpr double worth_reading = 0.1;
// While every thread of a worker runs a task: the CPU of a process that executes Python code in one
// thread at a time. Libraries release the lock for a part of their work.
constexpr double least_of_one_core = 0.75;
constexpr double most_of_one_core = 1.5;
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
// A server is compared at two loads where one is half as much again: below, rates tell nothing.
constexpr double load_differs = 1.5;
constexpr std::size_t least_busy_ticks = 3;
// Core-time of merging from which on its part off the CPU tells: five slices of a scheduler's 10
// ms.
constexpr double enough_merging = 0.05;  // [core-s]

Severity waiting_severity(double part) { return part >= 0.5 ? Severity::high : Severity::medium; }

/// What the processor's tasks did with their threads.
struct ThreadTime {
  double on_cpu = absent, off_cpu = absent;  ///< [core-s]
  BlockedShares blocked;

  explicit ThreadTime(const Facts& f)
      : on_cpu(activity_sum(f.run, f.processor, "thread-cpu", "seconds")),
        off_cpu(activity_sum(f.run, f.processor, "thread-noncpu", "seconds")),
        blocked(blocked_shares(f.run)) {}

  double all() const { return on_cpu + off_cpu; }
  /// Off the CPU, although the samples stand in code that computes.
  double contended() const { return std::max(0.0, off_cpu - blocked.all * all()); }
};

/// Whether cores are shared, by the tasks that merge results: they only compute, and are off the
/// CPU where others have it. Unknown where hardly any ran.
enum class SharedCores : std::uint8_t { unknown, yes, no };

SharedCores shared_by_merging(const Run& run) {
  const StringId reduce = run.names->strings.find("reduce");
  const double off = activity_sum(run, reduce, "thread-noncpu", "seconds");
  const double all = off + activity_sum(run, reduce, "thread-cpu", "seconds");
  if (!(all >= enough_merging)) return SharedCores::unknown;
  return off >= worth_waiting * all ? SharedCores::yes : SharedCores::no;
}

// A host whose CPUs idle for a quarter of the time has cores for all who want one.
constexpr double cores_are_there = 0.75;

/// The same by a host's CPUs, where the recorder asked for them; else unknown.
struct MachineWord {
  SharedCores shared = SharedCores::unknown;
  double busy = absent;  ///< share of the host's CPUs
};

MachineWord shared_by_machine(const Run& run, std::string_view host, double threads) {
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Machine& machine = run.workers.machine[w];
    if (run.workers.host[w] == no_string || run.text(run.workers.host[w]) != host) continue;
    const double busy = ratio(machine.busy, machine.cpus);
    if (threads > machine.usable) return {SharedCores::yes, busy};
    if (busy < cores_are_there) return {SharedCores::no, busy};
  }
  return {};
}

/// The CPU of a host's workers while each of their threads ran a task, at the ticks when most did:
/// workers that came after others had left are no more threads than there were at once.
struct HostCpu {
  std::string_view host;
  double threads = 0, cores = 0;         ///< at once
  std::size_t workers = 0, several = 0;  ///< at once; of them with several threads
  std::vector<double> per_thread;        ///< of a core, at each tick

  bool is_steady() const {
    const std::vector<double> sorted = sorted_present(per_thread);
    return quantile(sorted, 0.75) - quantile(sorted, 0.25) <= steady * quantile(sorted, 0.5);
  }
};

// Of the most threads that ran tasks at once: with a quarter fewer, others have what they leave.
constexpr double nearly_most = 0.75;

/// What all workers of a host did at a tick that had a task for each of their threads.
struct FullTick {
  double cores = 0, threads = 0;
  std::size_t workers = 0, several = 0;
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
  std::map<std::string_view, std::vector<FullTick>> hosts;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
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
  std::vector<HostCpu> list;
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

std::string code_sentence(const Run& run) {
  const OwnFunction largest = largest_own_function(run);
  if (largest.name.empty()) return "";
  const std::string section = largest_section(run);
  return sentence({" The largest function of the analysis is ", largest.name, " (",
                   format_percent(largest.share), " of the samples in process())",
                   (section.empty() ? "" : ", the largest section " + section), ".",
                   functions_sentence(run, section)});
}

/// Loops in Python are what holds the interpreter's lock.
std::string loop_sentence(const Run& run) {
  for (const CodePattern& pattern : code_patterns(run)) {
    if (is_absent(pattern.share))
      return sentence({" Judged by its source line, ", pattern.what, "."});
  }
  return "";
}

std::string blocked_sentence(const ThreadTime& time) {
  return sentence(
      {format_percent(time.off_cpu / time.all()), " of the tasks' time was off the CPU, but only ",
       format_percent(time.blocked.all), " of the samples are in calls that are known to block."});
}

std::string cores_sentence(const MachineWord& machine) {
  return machine.shared == SharedCores::no
             ? sentence({" The host's CPUs were busy for ", format_percent(machine.busy),
                         " of the time, so there are enough cores."})
             : " Tasks that merge results do not wait, so there are enough cores.";
}

/// Cores are there, code that computes is off the CPU, and so are tasks that only merge: whatever
/// they do, the workers are given less than their threads want.
std::vector<Finding> cpu_limit(const Facts& f, const ThreadTime& time, const HostCpu& host,
                               const MachineWord& machine) {
  if (!(host.cores <= shared_core * host.threads)) return {};
  Finding finding;
  finding.id = "cpu-limit";
  finding.severity = waiting_severity(time.contended() / time.all());
  finding.title =
      sentence({"Something limits ", format_count(host.threads, "thread"), " of ",
                std::string(host.host), " to ", format_count(host.cores, "core"), " in total"});
  finding.evidence = sentence(
      {blocked_sentence(time), cores_sentence(machine),
       " Tasks that merge results, which only compute and take no lock, are off the CPU as well. "
       "Consistent with a limit on the CPU of the workers (of a container, or of the batch "
       "system), "
       "and with processes that are stopped; neither storage nor a lock has this effect.",
       code_sentence(f.run)});
  finding.view = "Fine metrics";
  finding.gain_core_seconds = time.contended();
  finding = std::move(finding).as_share();
  finding.stake = time.contended();
  return {finding};
}

/// Cores are there, code that computes is off the CPU, and all threads together use one core.
std::vector<Finding> native_lock(const Facts& f, const ThreadTime& time, const HostCpu& host,
                                 const MachineWord& machine) {
  if (!(host.threads >= 2) || !(host.cores >= least_of_one_core) ||
      !(host.cores <= most_of_one_core) || !host.is_steady())
    return {};
  const double part = time.contended() / time.all();
  Finding finding;
  finding.id = "lock";
  finding.severity = Severity::medium;
  finding.title =
      sentence({"Tasks run one at a time for ", format_percent(part), " of their time"});
  finding.evidence =
      sentence({"The ", format_count(host.threads, "thread"), " of ", std::string(host.host),
                " use ", format_count(host.cores, "core"), " in all while each runs a task. ",
                blocked_sentence(time), cores_sentence(machine),
                " Consistent with a lock that native code takes, such as one on a file.",
                code_sentence(f.run)});
  finding.view = "Fine metrics";
  finding.gain_core_seconds = time.contended();
  return {std::move(finding).at_most(f.won_by_saving(time.contended()))};
}

/// [core-s] that tasks waited at moments which are told as such: not the whole run's way.
double waited_at_moments(const Run& run) {
  double seconds = 0;
  for (const Anomaly& place : anomalies(run)) {
    if (place.kind == Anomaly::Kind::moment && place.waits() && !place.has_more_cores())
      seconds += place.core_seconds;
  }
  return seconds;
}

std::vector<Finding> contention(const Facts& f, const ThreadTime& time) {
  const double part = (time.contended() - waited_at_moments(f.run)) / time.all();
  const std::vector<HostCpu> hosts = cpu_when_full(f.run);
  if (!(part >= worth_waiting) || !(time.contended() >= most_of_waiting * time.off_cpu) ||
      hosts.empty())
    return {};
  const MachineWord machine = shared_by_machine(f.run, hosts.front().host, hosts.front().threads);
  const SharedCores by_merging = shared_by_merging(f.run);
  const SharedCores shared = machine.shared == SharedCores::unknown ? by_merging : machine.shared;
  if (shared == SharedCores::no) {
    return by_merging == SharedCores::yes ? cpu_limit(f, time, hosts.front(), machine)
                                          : native_lock(f, time, hosts.front(), machine);
  }
  if (shared == SharedCores::unknown && !hosts.front().is_steady()) return {};
  const HostCpu& host = hosts.front();
  const double each = host.cores / static_cast<double>(host.workers);
  Finding finding;
  finding.severity = waiting_severity(part);
  finding.view = "Fine metrics";
  finding.gain_core_seconds = time.contended();
  const bool is_interpreter =
      host.several * 2 > host.workers && each >= least_of_one_core && each <= most_of_one_core;
  if (is_interpreter) {
    const double threads = host.threads / static_cast<double>(host.workers);
    finding.id = "interpreter-lock";
    finding.title = sentence(
        {"Threads of a worker wait for each other: ", format_percent(part), " of the tasks' time"});
    finding.evidence = sentence(
        {"Workers of ", format_number(threads), " threads used ", format_number(each),
         " cores each while all their threads ran tasks: one thread at a time executes Python code "
         "(the interpreter lock, GIL). ",
         blocked_sentence(time), code_sentence(f.run), loop_sentence(f.run),
         (each > 1.05 ? " Too few cores do not explain it: a process got more than one." : ""),
         " Workers of one thread each do not wait for one another."});
  } else {
    if (!(host.cores <= shared_core * host.threads)) return {};
    finding.id = "oversubscribed";
    finding.title = sentence({format_count(host.threads, "thread"), " on ", std::string(host.host),
                              (host.threads == 1 ? " gets only " : " get only "),
                              format_count(host.cores, "core")});
    finding.evidence = sentence(
        {"While all their threads ran tasks, its workers used ", format_count(host.cores, "core"),
         ". ", blocked_sentence(time),
         (shared_by_merging(f.run) == SharedCores::yes
              ? " Tasks that merge results, which only compute, are off the CPU as well."
              : ""),
         " Consistent with more threads than cores, with other programs on the machine, and with a "
         "limit on its CPU; neither storage nor a lock has this effect. If there are more threads "
         "than cores, one thread per core takes no longer."});
  }
  finding = std::move(finding).as_share();
  finding.stake = time.contended();
  return {finding};
}

std::vector<Finding> lock(const Facts& f, const ThreadTime& time) {
  // A task that waits for a lock is off the CPU.
  const double part = std::min(time.blocked.locks, time.off_cpu / time.all());
  if (!(part >= worth_a_lock)) return {};
  const double seconds = part * time.all();
  Finding finding;
  finding.id = "lock";
  finding.severity = part >= worth_waiting ? Severity::high : Severity::medium;
  finding.title = sentence({"Tasks waited ", format_percent(part), " of their time for a lock"});
  finding.evidence = sentence(
      {format_core_seconds(seconds), " by the samples that were acquiring a lock",
       (time.blocked.lock_function.empty() ? "" : ", most in " + time.blocked.lock_function),
       ". Not for storage: ",
       format_percent(time.blocked.reading_inside + time.blocked.reading_outside),
       " of the samples wait for reading. Work that only one task at a time may do is no faster on "
       "more cores."});
  finding.view = "Flame graph";
  finding.gain_core_seconds = seconds;
  return {std::move(finding).at_most(f.won_by_saving(seconds))};
}

/// How far the time that chunks wait grows with the bytes they read: 1 wholly, 0 not at all.
double elasticity(const Facts& f, const std::vector<std::uint32_t>& chunks, double reading) {
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
  return stats::robust_line(bytes, waited).slope * median_of(bytes) / median_of(waited);
}

/// What a server gave a chunk when it served few at a time, and when it served many: one that is
/// at its limit gives as much in all. "" where its load hardly changed.
std::string load_sentence(const Facts& f, const std::vector<std::uint32_t>& chunks) {
  const std::vector<double>& loads = host_loads(f.run);
  std::vector<std::pair<double, double>> served;  // load, rate
  for (const std::uint32_t i : chunks) {
    const double rate = ratio(f.run.chunks.bytes_read[i], f.run.chunks.duration[i]);
    if (!is_absent(loads[i]) && !is_absent(rate)) served.emplace_back(loads[i], rate);
  }
  if (served.size() < enough_chunks) return {};
  sort_stably(served, std::less<>());
  const std::size_t third = served.size() / 3;
  const auto middle = [&](std::size_t begin, auto member) {
    std::vector<double> values;
    for (std::size_t i = begin; i < begin + third; ++i) values.push_back(served[i].*member);
    return median_of(values);
  };
  using Served = std::pair<double, double>;
  const std::size_t last = served.size() - third;
  const double few = middle(0, &Served::first);
  const double many = middle(last, &Served::first);
  if (!(many >= load_differs * few)) return {};
  const auto told = [&](double load, double rate) {
    return format_number(load) + " chunks at a time each had " + format_bytes(rate) + "/s (" +
           format_bytes(load * rate) + "/s in all)";
  };
  return " With " + told(few, middle(0, &Served::second)) + ", with " +
         told(many, middle(last, &Served::second)) + ".";
}

std::vector<Finding> bandwidth(const Facts& f, const ThreadTime& time) {
  const Chunks& c = f.run.chunks;
  const double reading = time.blocked.reading_inside / time.blocked.inside;
  if (!(reading >= worth_waiting) || !f.whole_list || !chunk_bytes_collected(f.run)) return {};
  std::vector<Finding> found;
  const ChunkGroups& hosts = chunk_groups(f.run, ChunkKey::host);
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::vector<std::uint32_t> chunks;
    for (const std::uint32_t i : hosts.members(host)) {
      if (c.file[i] != no_string) chunks.push_back(i);
    }
    if (chunks.size() < enough_chunks || !(elasticity(f, chunks, reading) >= follows_bytes))
      continue;
    double bytes = 0, seconds = 0, begin = absent, end = absent;
    for (const std::uint32_t i : chunks) {
      bytes += value_or(c.bytes_read[i], 0);
      seconds += value_or(c.duration[i], 0);
      if (!(begin <= c.t_start[i])) begin = c.t_start[i];
      if (!(end >= c.t_end[i])) end = c.t_end[i];
    }
    const std::string name(hosts.name[host]);
    Finding finding;
    finding.id = "bandwidth-limited";
    finding.severity = waiting_severity(reading);
    finding.title =
        sentence({(name == "local" ? std::string("The local storage") : "Host " + name), " gives ",
                  format_bytes(bytes / (end - begin)), "/s in total: that is the limit"});
    finding.evidence = sentence(
        {format_percent(reading),
         " of the samples in process() wait for reading, and the time that chunks wait grows with "
         "the bytes they read: it is transfer time, not the latency of requests. ",
         format_number(seconds / (end - begin)),
         " chunks at a time shared it; more workers do not make it faster. Fewer branches, a copy "
         "nearby or a faster link do.",
         load_sentence(f, chunks)});
    finding.view = "Input";
    finding.gain_core_seconds = reading * seconds;
    finding.selection.hosts = {name};
    finding = std::move(finding).as_share();
    finding.stake = reading * seconds;
    found.push_back(std::move(finding));
  }
  return found;
}

/// Whether requests or the link make chunks wait, as far as their bytes tell.
std::string reading_sentence(const Facts& f, const ThreadTime& time) {
  std::vector<std::uint32_t> all(f.run.chunks.size());
  std::iota(all.begin(), all.end(), 0);
  const double follows = chunk_bytes_collected(f.run)
                             ? elasticity(f, all, time.blocked.reading_inside / time.blocked.inside)
                             : absent;
  return is_absent(follows) ? "Whether the latency of requests or the bandwidth of the link is the "
                              "limit, the chunks do not show: they read about the same number of "
                              "bytes each, or it was not recorded."
                            : "The time does not grow with the bytes read: the latency of requests "
                              "is the limit. More chunks at a time would wait in parallel.";
}

/// The analysis waits in a call of its own.
std::string own_wait_sentence(const ThreadTime& time) {
  return sentence({format_percent(time.blocked.elsewhere),
                   " of the samples are in calls of the analysis that sleep or wait, neither for "
                   "input nor for a known lock; most in ",
                   time.blocked.elsewhere_function, "."});
}

bool is_told_by_places(const Run& run) {
  const std::vector<Anomaly>& places = anomalies(run);
  return std::any_of(places.begin(), places.end(), [](const Anomaly& p) { return p.waits(); });
}

std::vector<Finding> waiting(const Facts& f) {
  const double wait = activity_sum(f.run, "thread-noncpu", "seconds");
  const double cpu = activity_sum(f.run, "thread-cpu", "seconds");
  const double part = ratio(wait, wait + cpu);
  const ThreadTime time(f);
  std::vector<Finding> found = lock(f, time);
  if (!(part >= worth_waiting)) return found;
  for (Finding& finding : contention(f, time)) found.push_back(std::move(finding));
  // Where a place waits, the link to all of them is not the limit.
  if (!is_told_by_places(f.run)) {
    for (Finding& finding : bandwidth(f, time)) found.push_back(std::move(finding));
  }
  const double reading = time.blocked.reading_inside;
  if (!found.empty() || is_told_by_places(f.run)) return found;
  // Of opening files tell pre-processing and the time outside process().
  if (opening_seconds(f) >= most_of_waiting * wait) return found;
  const bool is_storage = reading >= worth_reading && reading * time.all() >= wait / 2;
  const bool is_own = !is_storage && !time.blocked.elsewhere_function.empty() &&
                      time.blocked.elsewhere * time.all() >= most_of_waiting * wait;
  Finding finding = Finding{
      "waiting",
      waiting_severity(part),
      (is_storage ? "Tasks waited for input for " : "Tasks waited for ") + format_percent(part) +
          " of their time" + (is_own ? ", most of it in " + time.blocked.elsewhere_function : ""),
      format_core_seconds(wait) + " on a thread but not on a CPU, " + format_core_seconds(cpu) +
          " on a CPU. " +
          (is_storage ? format_percent(reading) + " of the samples wait for reading. " +
                            reading_sentence(f, time)
           : is_own ? own_wait_sentence(time)
                    : "Consistent with reading input, with locks (the GIL among them), or with "
                      "more threads than cores on the machine.") +
          " Part of it is what any reading takes, so not all of it can be saved.",
      wait,
      "Fine metrics",
      {}}.as_share();
  // Nobody knows how much of it can be won; it comes where what is beyond the usual would.
  finding.stake = wait - worth_waiting * (wait + cpu);
  found.push_back(std::move(finding));
  return found;
}

}  // namespace

const std::vector<Rule>& waiting_rules() {
  static const std::vector<Rule> rules = {waiting};
  return rules;
}

}  // namespace crema::diagnose
