#include "core/predict/prediction.hpp"

#include <set>

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"

namespace crema::predict {

using namespace runtime;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int bisections = 60;  // to the last bit of a double's mantissa, and some more

/// The share of the processor's time that was on a CPU.
double share_on_cpu(const Run& run, StringId processor, bool& measured) {
  const double on = activity_sum(run, processor, "thread-cpu", "seconds");
  const double off = activity_sum(run, processor, "thread-noncpu", "seconds");
  measured = on + off > 0;
  if (measured) return on / (on + off);
  // The process CPU of workers per thread while they executed: heartbeats know no better.
  double busy = 0;
  double executing = 0;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickSeries& cpu = run.workers.of(Series::cpu, w);
    const TickSeries& running = run.workers.of(Series::executing, w);
    for (std::size_t tick = cpu.first_tick; tick < cpu.end_tick(); ++tick) {
      const double threads = running.at(tick);
      if (!(threads > 0) || is_absent(cpu.at(tick))) continue;
      busy += std::min(cpu.at(tick), threads);
      executing += threads;
    }
  }
  return ratio(busy, executing);
}

/// Which CPUs the workers of one host have, and what others used of them in `ticks`.
void find_cpus(Load& load, const Run& run, TickRange ticks) {
  if (load.hosts != 1) return;
  double busy = 0;
  double known = 0;
  double own = 0;
  for (const Machine& machine : run.workers.machine) {
    if (is_absent(machine.cpus)) continue;
    load.cpus = std::fmax(load.cpus, machine.cpus);
    load.physical = std::fmax(load.physical, machine.cores);
    load.usable =
        value_or(load.usable, 0) + std::min(machine.cpus, value_or(machine.usable, machine.cpus));
    if (is_absent(machine.busy) || is_absent(machine.own)) continue;
    busy += machine.busy;
    own += machine.own;
    known += 1;
  }
  if (known > 0) load.host_busy = busy / known, load.foreign = std::max(0.0, busy / known - own);
  // The client and the scheduler are no others, where they were recorded.
  const std::vector<double>& others = machine_use(run).others;
  if (!others.empty())
    load.foreign =
        value_or(moments(std::span(others).subspan(ticks.begin, ticks.end - ticks.begin)).mean,
                 load.foreign);
}

/// Tasks may wait for a CPU because the run has more threads than there are, or for a quota: what
/// others had is no more than they used.
double slowed_by_others(const Run& run, const Load& load) {
  if (is_absent(load.foreign)) return 0;
  const std::vector<std::size_t>& rows = rows_of_chunks(run);
  const double waited = ratio(sum_of_rows(run, rows, recorded_columns::Task::run_delay),
                              sum_of_rows(run, rows, recorded_columns::Task::wall));
  const double lost = std::min(waited, load.foreign / load.threads);
  return lost > 0 && lost < 1 ? -elementary::log(1 - lost) : 0;
}

Load compute_load(const Run& run, const Options& options) {
  Load load;
  const ReplayTrace& trace = replay_trace_of(run, options);
  if (trace.order.empty()) return load;
  std::set<StringId> hosts(run.workers.host.begin(), run.workers.host.end());
  hosts.erase(no_string);
  load.hosts = std::max<double>(1, static_cast<double>(hosts.size()));
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange ticks = ticks_of(run.workers, w);
    if (ticks.end > 0)
      load.per_worker = std::fmax(load.per_worker, nthreads_at(run, w, ticks.begin));
  }
  double seconds = 0;
  double last = absent;
  for (const std::uint32_t i : trace.order) {
    seconds += trace.inside[i] + trace.outside + trace.others;
    if (!(last >= run.chunks.t_end[i])) last = run.chunks.t_end[i];
  }
  load.tasks = static_cast<double>(trace.order.size());
  load.task = seconds / load.tasks;
  std::vector<double> against;
  const std::vector<double>& expected = expected_durations(run);
  for (const std::uint32_t i : trace.order) against.push_back(ratio(trace.inside[i], expected[i]));
  const Moments spread = moments(against);
  load.error = value_or(spread.std / spread.mean, 1) / std::sqrt(std::max<double>(1, load.tasks));
  const double all = seconds + trace.repeated * load.task;
  load.cores = core_time(run, WorkerSelection(run, {}), trace.begin, last).cores;
  load.threads = std::min(ratio(all, last - trace.begin), value_or(load.cores, all));
  load.on_cpu = share_on_cpu(run, find_processor(run, options).prefix, load.measured_cpu);
  find_cpus(load, run, ticks_within(run, trace.begin, last));
  load.by_others = slowed_by_others(run, load);
  const BlockedShares blocked = blocked_shares(run);
  load.blocked = blocked.all;
  load.locks = blocked.locks;
  return load;
}

}  // namespace

double task_seconds(double threads, double apart, std::span<const Station> stations) {
  const double others = std::max(0.0, (threads - 1) / threads);
  double alone = apart;
  double most = absent;  // tasks per second
  for (const Station& station : stations) {
    const double served = station.demand / station.servers;
    alone += station.demand;
    if (served > 0 && others > 0 && !(most <= 1 / (served * others))) most = 1 / (served * others);
  }
  if (!(alone > 0) || others == 0) return alone;
  const auto seconds_at = [&](double rate) {
    double seconds = apart;
    for (const Station& station : stations) {
      const double served = station.demand / station.servers;
      seconds += served / (1 - served * rate * others) + (station.demand - served);
    }
    return seconds;
  };
  // As many in the network as there are threads: rate x seconds, which grows with the rate.
  double low = 0;
  double high = std::min(threads / alone, value_or(most, threads / alone));
  for (int i = 0; i < bisections; ++i) {
    const double rate = (low + high) / 2;
    (rate * seconds_at(rate) < threads ? low : high) = rate;
  }
  return threads / ((low + high) / 2);
}

const Load& load_of(const Run& run, const Options& options) {
  return run.facts.of<Each<std::string, Load>>().of(options.text(processor_option),
                                                    [&] { return compute_load(run, options); });
}

namespace {

/// What the cores of a host give its threads.
struct HostCores {
  bool shared = false;     ///< by all threads: of several hosts, fewer or more bring their own
  double free = absent;    ///< CPUs that may compute for the run, where they were recorded
  double seen = 1;         ///< that are surely there
  double hidden = 0;       ///< CPUs beyond those that computed, of which one waits for none
  bool saturated = false;  ///< more threads than CPUs, and all of them computed
};

// A host whose CPUs idled for a quarter of the recorded time had cores for all who wanted one: the
// rest is what starting and ending leave idle.
constexpr double all_busy = 0.75;
// Threads that take turns lose more than that to each other, to switching and in caches: four
// workers on two CPUs took 1.1 to 1.6 times as long as two in six pairs of recordings, 1.25 in the
// middle.
constexpr double crowding = 1.25;
// What is in no call that blocks waits for a CPU; samples come late, so most of it tells.
constexpr double most_of_waiting = 0.5;

HostCores host_cores(const Load& load, double factor) {
  HostCores cores;
  cores.shared = load.hosts == 1;
  // A thread that computes has a whole core: where less than one was busy, one was there.
  cores.seen = std::max(1.0, load.busy());
  if (!cores.shared || is_absent(load.cpus)) return cores;
  const double usable = load.usable * std::max(1.0, factor);  // each worker as free as these
  cores.free = std::min(load.cpus - value_or(load.foreign, 0), usable);
  cores.saturated = load.threads > cores.free && load.host_busy >= all_busy * load.cpus;
  const double physical = std::min(value_or(load.physical, load.cpus) - load.foreign, usable);
  if (physical > cores.seen) cores.seen = physical, cores.hidden = 1;
  cores.free = std::max(cores.free, cores.seen);
  return cores;
}

/// Fewer threads: a task still computes as long, and waits as long as it did, less, or not at all.
Slowdown slowdown_of_fewer(const Load& load, double factor) {
  const HostCores cores = host_cores(load, factor);
  const double turns =
      cores.shared ? load.threads * factor * load.computing() / value_or(cores.free, infinity) : 0;
  // Storage and locks serve fewer threads no faster.
  const bool blocks = load.blocked * load.task >= most_of_waiting * load.waiting();
  Slowdown slowdown;
  slowdown.contended =
      std::clamp(std::max(load.computing(), turns) / load.task, blocks ? factor : 0.0, 1.0);
  // More threads than CPUs, all of them busy: who was off the CPU and in no call that blocks waited
  // for one.
  if (cores.saturated && !is_absent(load.blocked))
    slowdown.ideal = std::min(1.0, slowdown.contended + load.blocked);
  if (cores.saturated) slowdown.contended /= crowding;
  return slowdown;
}

}  // namespace

Slowdown slowdown_at(const Load& load, double factor, double most_served) {
  Slowdown slowdown;
  if (!(load.threads > 0) || !(load.task > 0) || factor == 1) return slowdown;
  if (factor < 1) return slowdown_of_fewer(load, factor);
  const double threads = load.threads * factor;
  const HostCores cores = host_cores(load, factor);
  if (!is_absent(cores.free)) {
    // No more than all of them compute: from there on tasks take turns.
    const auto seconds = [&](double at) {
      return std::max(load.task, at * load.computing() / cores.free);
    };
    slowdown.ideal = seconds(threads) / seconds(load.threads);
  }
  // What storage served one at a time, if all of the waiting was that: Schweitzer's equation for
  // its own queue, the rest of the task being elsewhere.
  const double waiting = load.waiting();
  const double all = waiting / (1 + waiting * std::max(0.0, load.threads - 1) / load.task);
  const double served = std::fmin(all, most_served);
  const double apart = served < all ? waiting * (1 - served / all) : 0;
  // Nobody waits long for one of as many cores as there are threads, though others use part of one.
  const bool queues = cores.shared && threads > cores.seen + cores.hidden;
  const std::array<Station, 2> stations = {Station{queues ? load.computing() : 0, cores.seen},
                                           Station{served, 1}};
  const double seconds = task_seconds(threads, apart + (queues ? 0 : load.computing()), stations);
  // Throughput does not fall with more threads: that was not seen.
  slowdown.contended = std::max(slowdown.ideal, std::clamp(seconds / load.task, 1.0, factor));
  const double compute = threads * load.computing() / load.task;
  const bool takes_turns = cores.shared && compute > std::fmax(cores.free, cores.seen);
  if (takes_turns) slowdown.contended *= crowding;
  return slowdown;
}

void share_interpreter(Slowdown& slowdown, const Load& load, double per_worker) {
  const bool is_ordered = slowdown.ideal <= slowdown.contended;
  double& least = is_ordered ? slowdown.ideal : slowdown.contended;
  double& most = is_ordered ? slowdown.contended : slowdown.ideal;
  const auto seconds = [&](double threads) {
    const Station lock = {load.computing(), 1};
    return task_seconds(threads, load.waiting(), {&lock, 1});
  };
  if (per_worker > load.per_worker)
    most = std::max(most, seconds(per_worker) / seconds(load.per_worker));
  if (per_worker < load.per_worker) least = std::min(least, load.computing() / load.task);
}

namespace {

/// What a task takes alone beside the station, so that the network takes `seconds` at `threads`.
double apart_for(double threads, double seconds, const Station& station) {
  double low = 0;
  double high = seconds;
  for (int i = 0; i < bisections; ++i) {
    const double apart = (low + high) / 2;
    (task_seconds(threads, apart, {&station, 1}) < seconds ? low : high) = apart;
  }
  return (low + high) / 2;
}

/// How far a station is from what was seen, anchored at the least threads: Σ (ln model / seen)².
double misfit(const std::vector<Observed>& seen, const Station& station) {
  const double apart = apart_for(seen.front().threads, seen.front().seconds, station);
  double sum = 0;
  for (const Observed& at : seen) {
    const double off = elementary::log(task_seconds(at.threads, apart, {&station, 1}) / at.seconds);
    sum += off * off;
  }
  return sum;
}

/// The value in [low, high] with the least misfit: a coarse walk in equal ratios, then a fine one.
template <class Make>
double best_of(const std::vector<Observed>& seen, double low, double high, const Make& make) {
  double best = low;
  for (int walk = 0; walk < 3; ++walk) {
    constexpr int steps = 24;
    double least = absent;
    const double step = elementary::exp(elementary::log(high / low) / steps);
    double value = low;
    for (int i = 0; i <= steps; ++i, value *= step) {
      const double sum = misfit(seen, make(value));
      if (sum >= least) continue;
      least = sum;
      best = value;
    }
    low = std::max(low, best / step);
    high = std::min(high, best * step);
  }
  return best;
}

}  // namespace

Contention fit_contention(const std::vector<Observed>& observed, double on_cpu) {
  std::vector<Observed> seen;
  for (const Observed& at : observed) {
    if (at.threads > 0 && at.seconds > 0) seen.push_back(at);
  }
  sort_stably(seen, [](const Observed& a, const Observed& b) {
    return a.threads != b.threads ? a.threads < b.threads : a.seconds < b.seconds;
  });
  Contention found;
  constexpr double another = 1.25;  // times as many threads are another size
  if (seen.size() < 2 || !(seen.back().threads >= another * seen.front().threads)) return found;
  found.least = seen.front().threads;
  found.most = seen.back().threads;
  found.task = seen.front().seconds;
  found.computing = value_or(on_cpu, 1) * found.task;
  found.growth = seen.back().seconds / seen.front().seconds - 1;
  found.error = elementary::hypot(seen.front().error, seen.back().error);
  const auto storage_of = [](const std::vector<Observed>& sizes) {
    const double task = sizes.front().seconds;
    return best_of(sizes, 1e-4 * task, task, [&](double seconds) { return Station{seconds, 1}; });
  };
  if (!found.is_seen()) {
    std::vector<Observed> hidden = {seen.front(), seen.back()};
    hidden.back().seconds = found.task * (1 + std::max(0.0, found.growth) + 2 * found.error);
    found.storage = storage_of(hidden);
    return found;
  }
  found.cores = best_of(seen, 1, 4 * found.most, [&](double cores) {
    return Station{found.computing, cores};
  });
  found.storage = storage_of(seen);
  return found;
}

Contention::Growth Contention::between(double reference, double threads) const {
  const auto by = [&](const Station& station) {
    const double apart = apart_for(least, task, station);
    return ratio(task_seconds(threads, apart, {&station, 1}),
                 task_seconds(reference, apart, {&station, 1}));
  };
  if (!is_seen()) return {1, 1};
  return {by({computing, cores}), by({storage, 1})};
}

std::vector<Observed> sizes_within(const Run& run, const Options& options) {
  const ReplayTrace& trace = replay_trace_of(run, options);
  const Load& load = load_of(run, options);
  const Steps steps = core_steps(run, WorkerSelection(run, {}));
  if (steps.empty() || !run.chunks.placed) return {};
  const std::vector<double>& expected = expected_durations(run);
  struct Chunk {
    double cores, against;  // the time that is expected of it
  };
  std::vector<Chunk> chunks;
  for (const std::uint32_t i : trace.order) {
    const double against = ratio(trace.inside[i], expected[i]);
    const double cores = steps.mean(run.chunks.t_start[i], run.chunks.t_end[i]);
    // While a worker comes or goes a chunk is of neither size.
    if (is_absent(against) || !(cores >= 1) || cores != std::round(cores)) continue;
    chunks.push_back({cores, against});
  }
  sort_stably(chunks, [](const Chunk& a, const Chunk& b) { return a.cores < b.cores; });
  std::vector<Observed> seen;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    ratios.push_back(chunks[i].against);
    if (i + 1 < chunks.size() && chunks[i + 1].cores == chunks[i].cores) continue;
    const Moments found = moments(ratios);
    ratios.clear();
    if (found.count < outlier_least) continue;
    seen.push_back({chunks[i].cores, load.task * found.mean,
                    found.std / found.mean / std::sqrt(static_cast<double>(found.count))});
  }
  return seen.size() < 2 ? std::vector<Observed>{} : seen;
}

}  // namespace crema::predict
