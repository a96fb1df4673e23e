// Rules that stand on what `crema.record` measured: other processes and threads, and of tasks what
// Python calls at each step, unpacking, collections, system time, settings and memory.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/rules.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose::rules {

namespace {

namespace of = recorded_columns;

// What another program must have of the CPUs to be why tasks wait for a quarter of their time.
constexpr double much_of_it = 0.25;
// A load of three seconds is one; of most of the run it is one all along.
constexpr std::size_t enough_ticks = 3;
constexpr double nearly_all = 0.75;
// Memory that has grown by a quarter is noticed; what fills a cache grows more slowly in the end,
// and what an allocator keeps in steps: it does not grow by a quarter of the mean with nearly all.
constexpr double grown = 1.25;
constexpr double goes_on = 0.5;
constexpr double most_within = 0.75;
constexpr double nearly_all_grow = 0.8;

/// Of the ticks of the run at which it is known.
double usual(const std::vector<double>& values) { return quantile(sorted_present(values), 0.5); }

}  // namespace

double usable_cpus(const Run& run) {
  const MachineUse& use = machine_use(run);
  const double usable = usual(use.usable);
  // Processes that use more in all than one may: each has CPUs of its own.
  constexpr double clearly = 1.1;
  return usual(use.own) > clearly * usable ? std::numeric_limits<double>::infinity() : usable;
}

namespace {

/// Whether the run may use all CPUs of its hosts: of others' CPUs nothing is taken from it.
bool may_use_all(const Run& run) {
  const auto& rows = run.recording.machine;
  const std::set<StringId> hosts = hosts_of_workers(run);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!hosts.contains(rows.text(of::Machine::host, row))) continue;
    if (std::fmin(rows.at(of::Machine::usable, row), rows.at(of::Machine::quota, row)) <
        rows.at(of::Machine::cpus, row))
      return false;
  }
  return true;
}

}  // namespace

std::vector<Finding> foreign_load(const RunFacts& f, const CpuWait& wait) {
  const std::vector<std::uint32_t>& order = chunks_by_start(f.run);
  const MachineUse& use = machine_use(f.run);
  const double usable = usual(use.usable);
  // The most there were at once: cores are a mean over time.
  const double threads =
      std::fmax(f.cores, moments(core_steps(f.run, WorkerSelection(f.run, {})).values).max);
  if (order.empty() || !(threads <= usable) || !may_use_all(f.run)) return {};
  const Chunks& c = f.run.chunks;
  const TickRange all = ticks_within(f.run, c.t_start[order.front()], moments(c.t_end).max);
  // What the client started is recorded, and no task of the run either.
  std::vector<double> others = use.others;
  for (std::size_t tick = 0; tick < others.size(); ++tick)
    others[tick] += value_or(use.started[tick], 0);
  // When they had a part of it, while all was busy: from first to last, or the longest stretch.
  std::size_t count = 0, longest = 0, first = all.end, last = all.begin, end_of_longest = all.begin;
  for (std::size_t tick = all.begin, length = 0; tick < all.end; ++tick) {
    const bool is_loaded =
        use.busy[tick] >= all_busy * usable && others[tick] >= much_of_it * usable;
    length = is_loaded ? length + 1 : 0;
    count += is_loaded ? 1 : 0;
    if (is_loaded) first = std::min(first, tick), last = tick;
    if (length > longest) longest = length, end_of_longest = tick;
  }
  if (longest < enough_ticks) return {};
  if (static_cast<double>(count) < nearly_all * static_cast<double>(last + 1 - first))
    first = end_of_longest + 1 - longest, last = end_of_longest;
  const bool is_all_along = first - all.begin < enough_ticks && all.end - 1 - last < enough_ticks;
  const auto mean = [&](const std::vector<double>& cpus) {
    return moments(std::span(cpus).subspan(first, last + 1 - first)).mean;
  };
  ForeignLoad evidence{.others = mean(others),
                       .usable = usable,
                       .started = value_or(mean(use.started), 0),
                       .threads = threads,
                       .off_cpu = value_or(wait.measured, wait.off_cpu),
                       .is_measured = !is_absent(wait.measured)};
  Selection selection;
  double cost = wait.seconds;
  if (!is_all_along) {
    evidence.begin = f.run.ticks[first];
    evidence.end = f.run.ticks[last] + sampling_interval(f.run);
    selection.time = Selection::TimeRange{evidence.begin, evidence.end};
    // They took no more than they used.
    cost = std::min(cost, evidence.others * (evidence.end - evidence.begin));
  }
  return {{.cause = Cause::foreign_load,
           .severity = Severity::medium,
           .evidence = evidence,
           .selection = selection,
           .core_seconds = cost,
           .rank = cost}};
}

namespace {

/// CPUs that event loops of Dask's workers used while chunks ran: of those that are processes of
/// their own, whose main thread runs nothing else. Absent where that was not recorded.
double event_loops(const Run& run) {
  const auto& rows = run.recording.machine;
  // Where clocks leave unknown when chunks ran, the whole run.
  const bool placed = run.chunks.placed;
  const double first = placed ? moments(run.chunks.t_start).min : run.window().begin;
  const double last = placed ? end_of_last_chunk(run) : run.window().end;
  StringId host = no_string;  // of the client
  double pid = absent;
  for (std::size_t row = 0; row < rows.size() && host == no_string; ++row) {
    if (run.text(rows.text(of::Machine::address, row)) != "client") continue;
    host = rows.text(of::Machine::host, row);
    pid = rows.at(of::Machine::pid, row);
  }
  double seconds = 0;
  bool is_known = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double begin = rows.at(of::Machine::begin, row), main = rows.at(of::Machine::main, row);
    if (!is_dask_worker(run.text(rows.text(of::Machine::address, row))) || is_absent(main) ||
        !(begin >= first && begin <= last) ||
        (rows.text(of::Machine::host, row) == host && rows.at(of::Machine::pid, row) == pid))
      continue;
    seconds += main;
    is_known = true;
  }
  return is_known && last > first ? seconds / (last - first) : absent;
}

}  // namespace

namespace {

using Value = const std::string&;
bool is_on(Value value) { return std::fabs(parse_number(value)) > 0; }
bool is_off(Value value) { return parse_number(value) == 0; }
bool is_set(Value value) { return !value.empty() && value != "none"; }

/// Of instructions, or CPUs of x86: whether they are older than AVX2, which came in 2013.
bool is_older(Value value) {
  if (!is_set(value)) return false;
  std::string text = value;
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  for (const char* old : {"sse", "prescott", "core2", "penryn", "dunnington", "atom", "nano",
                          "athlon", "opteron", "barcelona", "bobcat", "nehalem", "sandybridge"})
    if (has(old)) return true;
  return text == "avx" || text == "none";
}

/// Of Dask, "1ms": shorter than so many ms.
template <int least>
bool is_below(Value value) {
  return value.ends_with("us") ||
         (value.ends_with("ms") && parse_number(value.substr(0, value.size() - 2)) < least);
}

/// A variable of the environment or of Dask's configuration, which of its values make code slower,
/// and what they do.
struct SlowSetting {
  const char* name;
  bool (*is_slow)(Value value);
  const char* effect;
  const char* usual = "not set";
  const char* switched_by = nullptr;  ///< the setting that has to be on for it
};

/// In the event loops of workers.
// docs.dask.org, "Configuration Reference": "typically short like 10ms"
constexpr SlowSetting short_profile{
    "profile.interval", is_below<10>,
    "Dask's profiler holds their interpreter lock that often, to look at their stacks", "10ms",
    "profile.enabled"};

constexpr SlowSetting all_slow_settings[] = {
    // numba.readthedocs.io, "Environment variables"; "Bounds Checking" slows down typical functions
    {"NUMBA_DISABLE_JIT", is_on, "numba compiles nothing"},
    {"NUMBA_OPT", [](Value v) { return parse_number(v) < 3; }, "numba optimizes less than it can"},
    {"NUMBA_LOOP_VECTORIZE", is_off, "numba vectorizes no loops"},
    {"NUMBA_BOUNDSCHECK", is_on, "functions that numba compiles check each index"},
    // numpy.org, "Troubleshooting"; OpenBLAS, docs/runtime_variables.md
    {"NPY_DISABLE_CPU_FEATURES", is_set, "NumPy is to do without these features of the CPU"},
    {"NPY_ENABLE_CPU_FEATURES", is_set, "NumPy is to do without other features of the CPU"},
    {"OPENBLAS_CORETYPE", is_older, "OpenBLAS runs kernels for that CPU, whatever the machine has"},
    // intel.com, guides for oneMKL, "Instruction Set Specific Dispatching", "Obtaining Numerically
    // Reproducible Results", and for oneDNN, "CPU Dispatcher Control";
    // arrow.apache.org, "Environment Variables"
    {"MKL_ENABLE_INSTRUCTIONS", is_older, "MKL uses no newer instructions than these"},
    {"MKL_CBWR", is_set, "MKL gives up speed for results that can be repeated"},
    {"ONEDNN_MAX_CPU_ISA", is_older, "oneDNN uses no newer instructions than these"},
    {"ARROW_USER_SIMD_LEVEL", is_older, "Arrow uses no newer instructions than these"},
    // docs.python.org, "Python Development Mode", which any text turns on: checks that are "too
    // expensive to be enabled by default"; PYTHONMALLOC has those of memory alone
    {"PYTHONDEVMODE", is_set, "Python's development mode is on, with its checks"},
    {"PYTHONMALLOC", [](Value v) { return v.ends_with("debug"); }, "Python checks its memory"},
    // docs.dask.org, "Configuration Reference", distributed.comm.compression; zlib.net: a tenth of
    // what LZ4, Snappy and Zstandard do in a second
    {"compression", [](Value v) { return v == "zlib"; },
     "Dask packs what it sends, where that shrinks, by a slow codec "
     "(distributed.comm.compression)"},
    // the same, distributed.admin.system-monitor.interval: 500ms
    {"system-monitor.interval", is_below<100>,
     "Dask asks the system that often for memory and CPU, in its event loops", "500ms"},
    // mallopt(3), M_PERTURB
    {"MALLOC_PERTURB_", is_on, "memory is filled when it is taken and when it is freed"},
    short_profile};

/// What it is set to, where that makes code slower; null where it does not. Of "1 or none", where
/// only some workers have it, `settings_differ` tells.
const std::string* slow_value(const Run& run, const SlowSetting& one) {
  const auto set = run.settings.find(one.name);
  if (set == run.settings.end() || set->second.find(" or ") != std::string::npos ||
      !one.is_slow(set->second))
    return nullptr;
  const auto switched = run.settings.find(one.switched_by == nullptr ? "" : one.switched_by);
  return switched != run.settings.end() && switched->second == "false" ? nullptr : &set->second;
}

/// CPU time of workers' processes beside that of their tasks.
struct BesideTasks {
  double part = absent;  ///< of the tasks' time
  double seconds = 0;    ///< [core-s]
  double cpus = absent;
  double of_loops = absent;  ///< of these of event loops

  bool is_loop() const { return of_loops >= cpus / 2; }
};

/// Where a process runs one task at a time, its rows tell: all other CPU time of it is of other
/// threads. Else what processes used in each second, without the CPU time of their tasks.
BesideTasks beside_tasks(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  double others = 0, wall = 0;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    const double cpu = tasks.at(of::Task::cpu, row);
    const double of_process = tasks.at(of::Task::cpu_of_process, row);
    if (tasks.at(of::Task::at_once, row) != 1 || is_absent(of_process - cpu)) continue;
    others += of_process - cpu;
    wall += tasks.at(of::Task::wall, row);
  }
  if (wall == 0) {
    const double first = moments(f.run.chunks.t_start).min, last = end_of_last_chunk(f.run);
    const auto& machine = f.run.recording.machine;
    std::map<std::string_view, std::vector<std::pair<double, double>>> seconds;  // of processes
    for (std::size_t row = 0; row < machine.size(); ++row) {
      const double begin = machine.at(of::Machine::begin, row);
      const double end = begin + machine.at(of::Machine::wall, row);
      const std::string_view address = f.run.text(machine.text(of::Machine::address, row));
      if (!(begin >= first && end <= last) || !is_dask_worker(address)) continue;
      seconds[process_of(address)].emplace_back(begin, end);
      others +=
          machine.at(of::Machine::own, row) - value_or(machine.at(of::Machine::recorder, row), 0);
    }
    for (std::size_t row = 0; row < tasks.size(); ++row) {
      const double begin = tasks.at(of::Task::begin, row), took = tasks.at(of::Task::wall, row);
      const auto known = seconds.find(process_of(f.run.text(tasks.text(of::Task::address, row))));
      if (known == seconds.end() || !(took > 0)) continue;
      double within = 0;
      for (const auto& [from, to] : known->second)
        within += std::max(0.0, std::min(to, begin + took) - std::max(from, begin));
      others -= value_or(tasks.at(of::Task::cpu, row), 0) * within / took;
      wall += within;
    }
  }
  if (!(wall > 0)) return {};
  const double length = end_of_last_chunk(f.run) - moments(f.run.chunks.t_start).min;
  const double at_once = sum_of_rows(f.run, rows_of_chunks(f.run), of::Task::wall) / length;
  return {others / wall, others, std::fmin(at_once, f.cores) * others / wall, event_loops(f.run)};
}

/// [1/s] while tasks were off the CPU and wanted none; a page that is not in memory is no lock.
double wake_ups(const Run& run) {
  const auto& tasks = run.recording.tasks;
  double count = 0, seconds = 0;
  for (const std::size_t row : rows_of_chunks(run)) {
    const double waited = tasks.at(of::Task::wall, row) - tasks.at(of::Task::cpu, row) -
                          tasks.at(of::Task::run_delay, row);
    if (is_absent(waited)) continue;
    seconds += waited;
    count += tasks.at(of::Task::voluntary_switches, row) -
             value_or(tasks.at(of::Task::major_faults, row), 0);
  }
  return ratio(count, seconds);
}

}  // namespace

OwnThread own_thread(const RunFacts& f, ThreadOf process) {
  const bool is_client = process == ThreadOf::client;
  // What the client computes ahead of the first chunk holds that up.
  const double first = is_client ? f.run.window().begin : moments(f.run.chunks.t_start).min;
  const double last = end_of_last_chunk(f.run);
  const auto& machine = f.run.recording.machine;
  const auto is_of = [&](std::size_t row) {
    const double begin = machine.at(of::Machine::begin, row);
    return machine.text(of::Machine::beside_in, row) != no_string &&
           (is_client ? f.run.text(machine.text(of::Machine::address, row)) == "client"
                      : is_dask_worker(f.run.text(machine.text(of::Machine::address, row)))) &&
           begin >= first && begin + machine.at(of::Machine::wall, row) <= last;
  };
  std::map<StringId, double> threads;  // [s]
  for (std::size_t row = 0; row < machine.size(); ++row)
    if (is_of(row))
      threads[machine.text(of::Machine::beside_in, row)] +=
          value_or(machine.at(of::Machine::beside, row), 0);
  const auto most =
      std::max_element(threads.begin(), threads.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == threads.end() || !(last > first)) return {};
  std::set<StringId> workers;
  for (std::size_t row = 0; row < machine.size(); ++row)
    if (is_of(row) && machine.text(of::Machine::beside_in, row) == most->first)
      workers.insert(machine.text(of::Machine::address, row));
  const std::string_view text = f.run.text(most->first);  // "FILE:LINE NAME"
  const std::size_t space = text.rfind(' ');
  return {std::string(base_name(text.substr(0, space))), std::string(text.substr(space + 1)),
          most->second, most->second / (last - first), static_cast<double>(workers.size())};
}

std::vector<Finding> library_threads(const RunFacts& f, const CpuWait& wait) {
  // In healthy runs 6 to 9 % of the tasks' time, of Dask's event loop, profiler and the recorder.
  constexpr double much_beside = 0.15;
  const BesideTasks beside = beside_tasks(f);
  if (!(beside.part >= much_beside)) return {};
  const MachineUse& use = machine_use(f.run);
  const double usable = usual(use.usable);
  const std::vector<double>& in_use = may_use_all(f.run) ? use.busy : use.own;
  const bool are_busy = usual(in_use) >= all_busy * usable;
  // Tasks that had a CPU when they could run waited for the interpreter's lock, which others held.
  const double waited = wait.off_cpu - wait.measured;
  const bool take_turns = waited >= worth_waiting && wake_ups(f.run) >= turns;
  if (!are_busy && !take_turns) return {};
  const bool is_loop = beside.is_loop();
  // Nobody waits for them for longer than they compute, where it is a CPU that they have.
  const double cost = are_busy ? std::min(wait.seconds, beside.seconds) : wait.seconds;
  Measurements evidence{
      is_loop ? Measurement{"loop", beside.of_loops} : Measurement{"others", beside.cpus},
      {"share_off", wait.off_cpu, Unit::share}};
  const OwnThread thread = is_loop ? OwnThread{} : own_thread(f, ThreadOf::workers);
  if (2 * thread.seconds >= beside.seconds) {
    evidence.push_back({"thread", thread.name + " (" + thread.place + ")"});
    evidence.push_back({"thread_cpus", thread.cpus});
  }
  if (are_busy) evidence.push_back({"usable", usable});
  if (take_turns) evidence.push_back({"turns", waited, Unit::share});
  if (const std::string* const interval = slow_value(f.run, short_profile);
      is_loop && interval != nullptr) {
    evidence.push_back({"profile", *interval});
    evidence.push_back({"usual", short_profile.usual});
  }
  if (const LoopFunction in = function_in_loop(f.run, CallTree::Kind::server);
      is_loop && !in.name.empty()) {
    evidence.push_back({in.is_of_dask ? "dask" : "function", in.name});
    evidence.push_back({"samples", in.share, Unit::share});
  }
  const auto is_one = [&](const char* name) {
    const auto set = f.run.settings.find(name);
    return set != f.run.settings.end() && set->second == "1";
  };
  if (!is_one("OMP_NUM_THREADS") || !is_one("OPENBLAS_NUM_THREADS") || !is_one("MKL_NUM_THREADS"))
    evidence.push_back({"each", "one for each CPU"});
  return {{.cause = is_loop ? Cause::busy_loop : Cause::library_threads,
           .severity = Severity::medium,
           .evidence = std::move(evidence),
           .core_seconds = cost,
           .rank = cost}};
}

std::vector<Finding> thread_beside(const RunFacts& f) {
  // Measured of exactly this, and no analysis needs one: less than of other causes is worth a word.
  constexpr double worth_a_thread = 0.03;
  const OwnThread thread = own_thread(f, ThreadOf::workers);
  if (!(f.share(thread.seconds) >= worth_a_thread)) return {};
  return {{.severity = at_most_medium(f.share(thread.seconds)),
           .evidence = Measurements{{"thread", thread.name},
                                    {"place", thread.place},
                                    {"workers", format_count(thread.workers, "worker")},
                                    {"cpus", thread.cpus}},
           .core_seconds = thread.seconds,
           .gain_core_seconds = f.saved_by(thread.seconds)}};
}

std::vector<Finding> no_bytecode(const RunFacts& f) {
  // In healthy runs 0.3 %: the analysis's own modules, which come without.
  constexpr double worth_keeping = 0.02;
  const double seconds = seconds_compiling_modules(f.run);
  if (!(f.share(seconds) >= worth_keeping)) return {};
  std::set<StringId> workers;
  for (const std::size_t row : rows_of_chunks(f.run))
    workers.insert(f.run.recording.tasks.text(of::Task::address, row));
  const auto count = static_cast<double>(workers.size());
  Measurements evidence{{"each", seconds / count, Unit::seconds},
                        {"workers", format_count(count, "worker")}};
  if (const auto set = f.run.settings.find("PYTHONDONTWRITEBYTECODE"); set != f.run.settings.end())
    evidence.push_back({"value", set->second});
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

std::vector<Finding> large_processor(const RunFacts& f) {
  // Of most tasks: what only the first one of a process takes is importing.
  std::vector<double> times;
  for (const std::size_t row : rows_of_chunks(f.run))
    times.push_back(f.run.recording.tasks.at(of::Task::unpack_wall, row));
  const double each = usual(times), seconds = each * static_cast<double>(times.size());
  if (!(f.share(seconds) >= least_share)) return {};
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"each", each, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

std::vector<Finding> hooked(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  std::map<StringId, double> chunks;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    if (tasks.text(of::Task::hook, row) != no_string) chunks[tasks.text(of::Task::hook, row)] += 1;
  }
  const auto most =
      std::max_element(chunks.begin(), chunks.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == chunks.end()) return {};
  // All their code is slower, by how much is not known: it comes before what takes less of it.
  const std::string hook(f.run.text(most->first));
  Measurements evidence{{"hook", hook}, {"chunks", most->second, Unit::chunks}};
  const bool is_traced = hook.starts_with("ptrace");
  evidence.push_back({"effect", is_traced ? "can stop their process at each system call"
                                          : "makes Python code slower"});
  if (!is_traced) evidence.push_back({"called", "such a function, or tool"});
  return {{.severity = Severity::medium,
           .evidence = std::move(evidence),
           .rank = value_or(f.inside, 0) * most->second /
                   static_cast<double>(rows_of_chunks(f.run).size())}};
}

/// Garbage collection took a fifth of the tasks' time; of healthy runs it takes 2 to 11 %.
std::vector<Finding> time_collecting(const RunFacts& f) {
  const std::vector<std::size_t>& chunks = rows_of_chunks(f.run);
  const double seconds = sum_of_rows(f.run, chunks, of::Task::collecting);
  const double wall = sum_of_rows(f.run, chunks, of::Task::wall);
  // A process may have been stopped amid a collection.
  if (!(seconds - stops_of(f.run).seconds >= beyond_usual * wall)) return {};
  Measurements evidence{{"part", seconds / wall, Unit::share}};
  // Tasks that share a process count its collections each.
  if (one_at_a_time(f.run))
    evidence.push_back({"collections", sum_of_rows(f.run, chunks, of::Task::collections)});
  std::string function = collecting_function(f.run, seconds / wall);
  double called = 0;
  bool is_place_known = false;
  std::map<StringId, double> collectors;  // [s] called in tasks that called most there
  for (const std::size_t row : chunks) {
    const StringId collector = f.run.recording.tasks.text(of::Task::collector, row);
    const double of_task = value_or(f.run.recording.tasks.at(of::Task::collecting_called, row), 0);
    called += of_task;
    if (collector != no_string) collectors[collector] += of_task;
  }
  for (const auto& [collector, of_collector] : collectors) {
    if (!(2 * of_collector > seconds)) continue;
    const std::string_view place = f.run.text(collector);  // "FILE:LINE FUNCTION"
    function = place.substr(place.rfind(' ') + 1);
    evidence.push_back({"called", called / seconds, Unit::share});
    evidence.push_back({"collector", std::string(base_name(place))});
    is_place_known = true;
  }
  if (!is_place_known) evidence.push_back({"objects", "objects"});
  if (!function.empty()) evidence.push_back({"function", std::move(function)});
  return {{.cause = Cause::collecting,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

// The CPU time of tasks that the operating system has in any run: reading, memory, scheduling. It
// is 5 to 12 % in most healthy ones, and was 23 % in one with large chunks on one process.
constexpr double usual_system = 0.10;
constexpr double much_system = 0.30;
// The largest size from which glibc takes memory from the system for each array, and gives it back
// when the array is freed: mallopt(3), M_MMAP_THRESHOLD, DEFAULT_MMAP_THRESHOLD_MAX.
constexpr double always_given_back = 32 * 1024 * 1024;  // [byte]

namespace {

/// Where the allocator's threshold is set. Dask sets it in all its workers (distributed.yaml,
/// nanny.pre-spawn-environ); mallopt(3), M_MMAP_THRESHOLD: the size from which memory is taken from
/// the system stays at 128 KiB then, in place of growing with the arrays that are freed. Five pairs
/// of runs with and without it: 44,000 faults a chunk and 360, and a sixth of the CPU time. Arrays
/// of one dataset may be larger in all chunks, and so may be what it reads: the slope is no steeper
/// than that of chunks beside others of their dataset may be.
std::vector<Finding> page_faults(const RunFacts& f, const std::vector<std::size_t>& chunks,
                                 double cpu) {
  constexpr const char* trim = "MALLOC_TRIM_THRESHOLD_";
  const std::string_view of_dask = "65536";
  // mallopt(3): any of them keeps the threshold from growing
  const auto to_unset = [of_dask](const std::map<std::string, std::string>& set) {
    std::vector<std::string> names;
    for (const char* one : {"MALLOC_MMAP_THRESHOLD_", trim, "MALLOC_TOP_PAD_"}) {
      if (!set.contains(one) || (one == trim && set.at(one) == of_dask)) continue;
      if (!is_absent(parse_number(set.at(one)))) names.push_back(one);
    }
    return names;
  };
  const auto& settings = f.run.settings;
  const auto is_set = [&](const char* name) {
    const auto set = settings.find(name);
    return set != settings.end() && !is_absent(parse_number(set->second));
  };
  const char* const name = is_set("MALLOC_MMAP_THRESHOLD_") ? "MALLOC_MMAP_THRESHOLD_" : trim;
  if (!is_set(name)) return {};
  const auto& tasks = f.run.recording.tasks;
  // Of an event each: all that larger chunks take in the system goes with their faults.
  std::vector<double> faults, system;
  std::map<StringId, std::vector<std::size_t>> datasets;
  for (const std::size_t row : chunks) {
    const double events = std::max(1.0, value_or(tasks.at(of::Task::events, row), 1));
    datasets[tasks.text(of::Task::dataset, row)].push_back(faults.size());
    faults.push_back(tasks.at(of::Task::minor_faults, row) / events);
    system.push_back(tasks.at(of::Task::system, row) / events);
  }
  std::vector<double> faults_within = faults, system_within = system;
  for (const auto& [dataset, own] : datasets) {
    for (std::vector<double>* values : {&faults_within, &system_within}) {
      std::vector<double> of_own;
      for (const std::size_t i : own) of_own.push_back((*values)[i]);
      const double middle = median_of(std::move(of_own));
      for (const std::size_t i : own) (*values)[i] -= middle;
    }
  }
  const double slope =
      std::fmin(stats::robust_line_range(faults, system).flat.slope,
                stats::robust_line_range(faults_within, system_within).steep.slope);
  const double all = sum_of_rows(f.run, chunks, of::Task::minor_faults);
  const double seconds = std::min(slope * all, sum_of_rows(f.run, chunks, of::Task::system));
  const std::vector<std::string> of_user = to_unset(settings);
  const bool is_dasks = of_user.empty();
  // What Dask sets costs all of its users something: a tenth is noticed.
  if (!(f.share(seconds) >= (is_dasks ? notable : least_share))) return {};
  Measurements evidence{{"part", seconds / cpu, Unit::share},
                        {"each", all / static_cast<double>(chunks.size())},
                        {"name", name},
                        {"setting", settings.at(name)}};
  // A nanny sets Dask's own again where the variable is not set: Nanny.__init__, pre-spawn-environ.
  if (is_set(trim))
    evidence.push_back(
        {"code", std::string("dask.config.set({\"distributed.nanny.pre-spawn-environ.") + trim +
                     "\": None})"});
  if (!of_user.empty())
    evidence.push_back({"unset", "Unset " + listed(of_user) + " where workers start"});
  return {{.cause = Cause::page_faults,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds),
           .rank = is_dasks ? rank_of_code - 1 : rank_of_setting}};
}

}  // namespace

std::vector<Finding> system_time(const RunFacts& f) {
  const std::vector<std::size_t>& chunks = rows_of_chunks(f.run);
  const auto& tasks = f.run.recording.tasks;
  const double system = sum_of_rows(f.run, chunks, of::Task::system);
  const double cpu = sum_of_rows(f.run, chunks, of::Task::cpu);
  // The highest of now and then a look is less than the peak.
  std::vector<double> above, exact;
  for (const std::size_t row : chunks) {
    // It is the memory of a process, of all its tasks.
    if (tasks.at(of::Task::at_once, row) > 1) continue;
    above.push_back(
        tasks.at(of::Task::rss_peak, row) -
        std::fmax(tasks.at(of::Task::rss_before, row), tasks.at(of::Task::rss_after, row)));
    if (tasks.at(of::Task::rss_peak_sampled, row) == 0) exact.push_back(above.back());
  }
  const double usually = usual(2 * exact.size() < above.size() ? above : exact);
  // Where a setting is known to do it, at what size memory is given back is the setting's.
  std::vector<Finding> faults = page_faults(f, chunks, cpu);
  if (!(usually >= always_given_back) || !faults.empty()) return faults;
  if (!(system >= much_system * cpu)) return {};
  const double seconds = system - usual_system * cpu;
  return {{.cause = Cause::system_time,
           .severity = at_most_medium(f.share(seconds)),
           .evidence =
               Measurements{{"part", system / cpu, Unit::share}, {"above", usually, Unit::bytes}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

std::vector<Finding> slow_settings(const RunFacts& f) {
  std::vector<Finding> found;
  for (const SlowSetting& one : all_slow_settings) {
    const std::string* const value = slow_value(f.run, one);
    if (value == nullptr) continue;
    found.push_back({.severity = Severity::low,
                     .evidence = Measurements{{"name", one.name},
                                              {"setting", *value},
                                              {"effect", one.effect},
                                              {"usual", one.usual}},
                     .rank = rank_of_setting});
  }
  return found;
}

/// Every worker has a quarter more memory after its last chunk than after its first, beyond results
/// that it may hold, and grew in the second half as in the first, with nearly every chunk and while
/// it ran: what takes memory in a few steps, or between chunks, is kept by no chunk.
MemoryGrowth memory_growth(const Run& run) {
  const auto& tasks = run.recording.tasks;
  std::map<StringId, std::vector<std::size_t>> workers;
  for (const std::size_t row : rows_of_chunks(run)) {
    // It keeps a note of each piece of memory that is in use.
    if (run.text(tasks.text(of::Task::hook, row)) == "tracemalloc") return {};
    if (!is_absent(tasks.at(of::Task::rss_after, row)))
      workers[tasks.text(of::Task::address, row)].push_back(row);
  }
  double first = 0, last = 0, chunks = 0;
  std::vector<double> slopes;
  for (auto& [worker, rows] : workers) {
    if (rows.size() < outlier_least) continue;
    sort_stably(rows, [&](std::size_t a, std::size_t b) {
      return tasks.at(of::Task::begin, a) < tasks.at(of::Task::begin, b);
    });
    std::vector<double> place, memory;
    double held = 0, within = 0, previous = absent;
    for (const std::size_t row : rows) {
      held += value_or(tasks.at(of::Task::out_bytes, row), 0);
      place.push_back(static_cast<double>(place.size()));
      memory.push_back(tasks.at(of::Task::rss_after, row) - held);
      const double after = tasks.at(of::Task::rss_after, row);
      const double more = after - value_or(tasks.at(of::Task::rss_before, row), previous);
      previous = after;
      within += value_or(more, 0);
    }
    const std::size_t half = memory.size() / 2;
    const double early = memory[half] - memory.front(), late = memory.back() - memory[half];
    if (!(memory.back() >= grown * memory.front()) || !(late >= goes_on * early)) return {};
    const auto steps = static_cast<double>(memory.size() - 1);
    double grew = 0;
    for (std::size_t k = 1; k < memory.size(); ++k)
      grew += memory[k] - memory[k - 1] >= (early + late) / steps / 4 ? 1 : 0;
    if (within < most_within * (early + late) || grew < nearly_all_grow * steps) return {};
    slopes.push_back(stats::robust_line(place, memory).slope);
    if (memory.back() > last)
      last = memory.back(), first = memory.front(), chunks = static_cast<double>(memory.size());
  }
  if (slopes.empty()) return {};
  return {median_of(std::move(slopes)), first, last, chunks};
}

std::vector<Finding> memory_grows(const RunFacts& f) {
  const MemoryGrowth growth = memory_growth(f.run);
  if (is_absent(growth.each)) return {};
  return {{.severity = Severity::medium,
           .evidence = Measurements{{"each", growth.each, Unit::bytes},
                                    {"first", growth.first, Unit::bytes},
                                    {"last", growth.last, Unit::bytes},
                                    {"chunks", growth.chunks, Unit::chunks}}}};
}

}  // namespace crema::diagnose::rules
