// Rules about waiting, by its cause: locks, the interpreter's lock, too few cores, storage.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose {

double off_cpu_share(const Run& run) {
  const double wait = activity_sum(run, "thread-noncpu", "seconds");
  return ratio(wait, wait + activity_sum(run, "thread-cpu", "seconds"));
}

}  // namespace crema::diagnose

namespace crema::diagnose::rules {

using recorded_columns::Task;

bool one_at_a_time(const Run& run) {
  const auto& tasks = run.recording.tasks;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    if (tasks.at(Task::at_once, row) > 1) return false;
  }
  return true;
}

bool waits_for_its_own(const Run& run, double off_cpu, double off_cpu_of_others) {
  const double others =
      std::fmax(off_cpu_of_others, runtime::measured_waiting(run).share_for_cpu());
  return off_cpu >= others + off_by_more && one_at_a_time(run);
}

namespace {

// A lock is certain where frames name it, and always undesirable: reported from 5 % on.
constexpr double worth_a_lock = 0.05;
// What is left of waiting once input, locks and want of a CPU are taken out is next to nothing in
// healthy runs of the laboratory: under 1 %.
constexpr double worth_a_call = 0.05;
// A quarter of a CPU: a client that only waits takes a twentieth.
constexpr double worth_a_cpu = 0.25;
// Reading that blocks for less than a tenth of the time is what any input costs.
constexpr double worth_reading = 0.1;
// Time that follows the bytes to at least this part is time of transfer, not of requests.
constexpr double follows_bytes = 0.5;
// Of single requests to half of that: one that waits for others' bytes, too, follows its own less.
constexpr double requests_follow = 0.25;

std::vector<Finding> lock(const RunFacts& f, const ThreadTime& time) {
  // A task that waits for a lock is off the CPU.
  const double part = std::min(time.blocked.locks, time.off_cpu / time.all());
  if (!(part >= worth_a_lock)) return {};
  const double seconds = part * time.all();
  WaitingPlace place = waiting_place(f.run);
  if (place.function != time.blocked.lock_function)  // tasks wait for something else, too
    place = {.function = time.blocked.lock_function};
  return {{.cause = Cause::lock,
           .severity = part >= worth_waiting ? Severity::high : Severity::medium,
           .evidence = Lock{part, std::move(place)},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

/// [core-s] that stragglers, and chunks that read more than they asked for, were off the CPU, as
/// their rows tell: they are reported by themselves.
double off_cpu_of_stragglers(const RunFacts& f) {
  const Run& run = f.run;
  const std::vector<double>& flags = outliers(run);
  const auto is_reported = [&](std::size_t i) {
    return flags[i] == 1 || (i < f.read_more.seconds.size() && f.read_more.seconds[i] > 0);
  };
  const std::vector<double> walls = measured_of_chunks(run, Task::wall),
                            cpus = measured_of_chunks(run, Task::cpu);
  double off = 0;
  for (std::size_t i = 0; i < std::min(walls.size(), cpus.size()); ++i)
    off += is_reported(i) ? std::max(0.0, value_or(walls[i] - cpus[i], 0)) : 0;
  return off;
}

/// What tasks were off the CPU for neither want of one, nor input, nor a lock that frames name: a
/// function of the analysis in which they did so, by their threads' clocks.
std::vector<Finding> waiting_calls(const RunFacts& f, const ThreadTime& time) {
  const MeasuredWaiting& measured = time.measured;
  const BlockedShares& blocked = time.blocked;
  double other =
      (measured.off_cpu - measured.for_cpu - value_or(measured.for_input, 0)) / measured.wall -
      blocked.locks;
  if (is_absent(measured.for_cpu)) other = blocked.off_cpu;
  const double own = std::min(blocked.off_cpu, other);
  if (!(other >= worth_a_call) || !(own >= most_of_waiting * other) ||
      !waits_for_its_own(f.run, blocked.off_cpu_of_function, blocked.off_cpu_of_others))
    return {};
  const double seconds = own * measured.wall;
  if (off_cpu_of_stragglers(f) >= most_of_waiting * seconds) return {};
  return {{.cause = Cause::waiting,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = WaitingTasks{.what = WaitingTasks::For::own_call,
                                    .share = other,
                                    .waited = measured.off_cpu,
                                    .on_cpu = measured.wall - measured.off_cpu,
                                    .reading = measured.for_input / measured.wall,
                                    .is_measured = true,
                                    .own = own,
                                    .for_cpu = measured.share_for_cpu(),
                                    .function = blocked.off_cpu_function,
                                    .library = mostly_in(f.run, blocked.off_cpu_function),
                                    .place = waiting_place(f.run)},
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

std::vector<Finding> bandwidth(const RunFacts& f, const ThreadTime& time) {
  const Chunks& c = f.run.chunks;
  const double measured = time.measured.share_for_input();
  const double reading = value_or(measured, time.blocked.reading_inside / time.blocked.inside);
  const double least = is_absent(measured)
                           ? worth_waiting
                           : std::max(worth_reading, most_of_waiting * time.off_cpu / time.all());
  if (!(reading >= least) || !f.whole_list || !chunk_bytes_collected(f.run)) return {};
  std::vector<Finding> found;
  const ChunkGroups& hosts = chunk_groups(f.run, ChunkKey::host);
  std::vector<double> waits = measured_of_chunks(f.run, Task::request_wait),
                      walls = measured_of_chunks(f.run, Task::wall);
  for (std::vector<double>* all : {&waits, &walls}) all->resize(c.size(), absent);
  const Elasticity by_requests = hosts.size() == 1 ? elasticity_of_requests(f.run) : Elasticity{};
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::vector<std::uint32_t> chunks;
    for (const std::uint32_t i : hosts.members(host)) {
      if (c.file[i] != no_string) chunks.push_back(i);
    }
    // Where chunks of one host wait, those of another need not.
    double here = reading;
    if (!is_absent(measured)) {
      double waited = 0, took = 0;
      for (const std::uint32_t i : chunks)
        waited += value_or(waits[i], 0), took += value_or(walls[i], 0);
      here = ratio(waited, took);
    }
    if (!(here >= least)) continue;
    const bool follow = is_absent(by_requests.least)
                            ? elasticity(f, chunks, here).likely >= follows_bytes
                            : by_requests.least >= requests_follow;
    if (chunks.size() < enough_chunks || !follow) continue;
    double bytes = 0, seconds = 0, begin = absent, end = absent;
    for (const std::uint32_t i : chunks) {
      bytes += value_or(c.bytes_read[i], 0);
      seconds += value_or(c.duration[i], 0);
      begin = std::fmin(begin, c.t_start[i]);
      end = std::fmax(end, c.t_end[i]);
    }
    const std::string name(hosts.name[host]);
    found.push_back({.cause = Cause::bandwidth_limited,
                     .severity = waiting_severity(here),
                     .evidence = Bandwidth{name, bytes / (end - begin), here, !is_absent(measured),
                                           seconds / (end - begin)},
                     .selection = {.hosts = {name}},
                     .core_seconds = here * seconds,
                     .rank = here * seconds});
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
  if (f.has_long_stops()) return {};
  const double wait = activity_sum(f.run, "thread-noncpu", "seconds");
  const double cpu = activity_sum(f.run, "thread-cpu", "seconds");
  const double part = off_cpu_share(f.run);
  const ThreadTime time(f);
  std::vector<Finding> found = lock(f, time);
  std::vector<Finding> others;
  const CpuWait for_cpu{time.for_cpu(), time.measured.share_for_cpu(), part};
  if (part >= worth_waiting && time.is_mostly(time.for_cpu())) others = foreign_load(f, for_cpu);
  // Threads of the same process have the interpreter's lock as well as the CPU.
  if (part >= worth_waiting && others.empty() && time.is_mostly(time.contended()))
    others = library_threads(f, {time.contended(), for_cpu.measured, for_cpu.off_cpu});
  // Who waits for that lock seems to wait in what it calls.
  const std::vector<Finding> calls =
      others.empty() ? waiting_calls(f, time) : std::vector<Finding>();
  found.insert(found.end(), calls.begin(), calls.end());
  if (!(part >= worth_waiting)) return found;
  if (others.empty() && (calls.empty() || time.lacks_cpu())) others = contention(f, time);
  for (Finding& finding : others) found.push_back(std::move(finding));
  const std::vector<Anomaly>& slow = anomalies(f.run);
  const bool waits_somewhere = std::any_of(
      slow.begin(), slow.end(), [](const Anomaly& a) { return a.waits() || a.computes_beside(); });
  // Where one group waits, the link to all of them is not the limit.
  if (waits_somewhere) return found;
  // Nor where few tasks do: without them not much may be left.
  const double of_stragglers = off_cpu_of_stragglers(f) + f.held_up.seconds;
  if (!((wait - of_stragglers) / (wait + cpu - of_stragglers) >= worth_waiting)) return found;
  for (Finding& finding : bandwidth(f, time)) found.push_back(std::move(finding));
  // Waiting for files that are opened is reported with them, or with the time outside process().
  if (!found.empty() || waiting_to_open(f) >= most_of_waiting * wait) return found;
  const BlockedShares& blocked = time.blocked;
  const double requests = time.measured.share_for_input();
  WaitingTasks evidence{.share = part,
                        .waited = wait,
                        .on_cpu = cpu,
                        .reading = value_or(requests, blocked.reading_inside),
                        .is_measured = !is_absent(requests),
                        .own = blocked.elsewhere,
                        .for_cpu = time.measured.share_for_cpu(),
                        .takes_turns = !one_at_a_time(f.run),
                        .function = blocked.elsewhere_function};
  if (evidence.for_cpu * time.all() >= most_of_waiting * wait) {
    evidence.what = WaitingTasks::For::cpu;
    if (evidence.for_cpu < worth_waiting) return found;
    const MachineUse& use = machine_use(f.run);
    const auto usual = [](const std::vector<double>& cpus) {
      const double median = quantile(sorted_present(cpus), 0.5);
      return median >= worth_a_cpu ? median : absent;
    };
    evidence.client = usual(use.client);
    evidence.started = usual(use.started);
  } else if (evidence.reading >= worth_reading && evidence.reading * time.all() >= wait / 2) {
    evidence.what = WaitingTasks::For::input;
    if (evidence.is_measured && evidence.reading < worth_waiting) return found;
    evidence.knows_latency = knows_latency(f, time);
  } else if (!evidence.function.empty() && evidence.own * time.all() >= most_of_waiting * wait) {
    evidence.what = WaitingTasks::For::own_call;
    evidence.is_measured = false;  // samples of calls that block tell
  }
  double share = part;
  switch (evidence.what) {
    case WaitingTasks::For::cpu: share = evidence.for_cpu; break;
    case WaitingTasks::For::own_call: share = evidence.own; break;
    case WaitingTasks::For::input: share = evidence.share_for_input(); break;
    case WaitingTasks::For::unknown: break;
  }
  const double cost = std::min(wait, share * time.all());
  const bool is_known = evidence.what != WaitingTasks::For::unknown;
  if (!is_known) evidence.place = waiting_place(f.run);
  // How much of it can be saved is not known; it is ranked by what is beyond the usual.
  found.push_back({.cause = Cause::waiting,
                   .severity = waiting_severity(part),
                   .evidence = std::move(evidence),
                   .core_seconds = cost,
                   .grounds = is_known ? Grounds::measured : Grounds::unknown,
                   .rank = std::max(0.0, cost - worth_waiting * (wait + cpu))});
  return found;
}

}  // namespace crema::diagnose::rules
