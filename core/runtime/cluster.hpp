#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/model/worker_selection.hpp"

namespace crema::runtime {

/// A step function of run-axis time: `values[i]` holds from `times[i]` to `times[i + 1]`, the last
/// one to the window's end.
struct Steps {
  std::vector<double> times;   ///< [s], ascending
  std::vector<double> values;  ///< absent where nothing is known
  double end = absent;         ///< [s] where the last value ends

  bool empty() const { return times.empty(); }
  /// The value that holds at `t`; 0 before the first step.
  double at(double t) const;
  /// ∫ values dt over [begin, to]; absent values count as 0.
  double integral(double begin, double to) const;
  /// The integral over the part of [begin, to] that the steps cover, divided by the length of that
  /// part.
  double mean(double begin, double to) const;
};

/// begin, end, and every moment between them at which one of the two changes; ascending.
std::vector<double> edges_of(const Steps& a, const Steps& b, double begin, double end);

// What is of all workers is kept by the run: most questions begin with it.

/// Σ nthreads of the workers present at each tick. Empty without tracking.
Steps core_steps(const Run& run, const WorkerSelection& workers);

/// Number of workers present at each tick: `worker_counts` where stated (and all workers are
/// selected), else the number of workers with a value at that tick.
Steps worker_steps(const Run& run, const WorkerSelection& workers);

/// Core-seconds available in [begin, end] and where the number is from (docs/meanings.md, Cores):
/// tracking, else scheduler info x length (estimated), else absent.
struct CoreTime {
  double core_seconds = absent;
  double cores = absent;  ///< time average
  bool estimated = false;
  const char* source = "";
};
CoreTime core_time(const Run& run, const WorkerSelection& workers, double begin, double end);

/// What `core_time` is computed from, for who asks for several ranges of one run.
struct CoreSupply {
  Steps steps;         ///< of cores; empty when only their number is known
  double threads = 0;  ///< that number, an estimate
  const char* source = "";
  Run::Window window;

  CoreTime between(double begin, double end) const;
};
CoreSupply core_supply(const Run& run, const WorkerSelection& workers);

/// [s] The usual distance of two ticks: the median (of an even number the upper one); absent with
/// fewer than two ticks.
double sampling_interval(const Run& run);

/// Mean over [begin, end] of values that each hold until the next tick, the last one to the end of
/// the run. `values[i]` is of tick `first + i`. Where ticks stopped for longer than three usual
/// intervals a value holds for one of them only. What is absent or not held has no weight; absent
/// when nothing has.
double time_mean(const Run& run, std::size_t first, std::span<const double> values, double begin,
                 double end);

/// Equal stretches of run-axis time.
struct TimeBins {
  double begin = 0, end = 0;  ///< [s]
  std::size_t count = 0;

  double width() const { return (end - begin) / static_cast<double>(count); }
  /// Where a bin begins; that of `count` is where the last one ends.
  double left(std::size_t bin) const { return begin + static_cast<double>(bin) * width(); }

  /// Calls `use(bin, seconds)` for each bin that [from, to) reaches into, with how much of it lies
  /// there.
  template <class Use>
  void each_overlap(double from, double to, Use use) const {
    const double length = width();
    const double first = std::max(0.0, std::floor((from - begin) / length));
    for (double bin = first; bin < static_cast<double>(count); bin += 1) {
      const double bin_begin = begin + bin * length;
      if (bin_begin >= to) break;
      const double overlap = std::min(to, bin_begin + length) - std::max(from, bin_begin);
      if (overlap > 0) use(static_cast<std::size_t>(bin), overlap);
    }
  }
};

/// Which task prefix is the user's processor (docs/meanings.md, The processor).
struct Processor {
  StringId prefix = no_string;  ///< no_string when there are no fine metrics
  std::string basis;            ///< a sentence: chosen, recognised or guessed, and from what
  bool guessed = false;
};

inline constexpr Option processor_option{.name = "processor",
                                         .about =
                                             "which task prefix is the processor; default: "
                                             "recognised by its recorded time, else guessed"};

/// `processor_option` where given; else the prefix whose thread-cpu seconds are the
/// `processor_cpu_time_seconds` that roastcoffea stored, or whose tasks `crema.record` saw run
/// chunks; else the one with most thread time, attempts that failed included (of all seconds, where
/// there is none). In the log of a workflow manager the category that coffea's executors give it,
/// or none.
Processor find_processor(const Run& run, const Options& options);

/// What the tasks of one prefix did, by Dask's fine metrics of context "execute" [s].
struct TaskTime {
  StringId prefix = no_string;  ///< no_string of tasks whose key has none
  double cpu = 0, waiting = 0;  ///< of their threads
  double failed = 0;            ///< of attempts that raised, which Dask does not split further
  double all = 0;               ///< all activities
  double around = 0;            ///< Dask's own work for them while no thread runs them
};

/// Whether a fine metric is one of tasks: of context "execute", and not Dask's own ("N/A").
bool is_of_tasks(const Run& run, std::size_t activity);

/// By prefix, in order of first appearance. Kept by the run.
const std::vector<TaskTime>& task_times(const Run& run);

/// Σ seconds of all activities of one prefix; absent when it has none.
double execute_seconds(const Run& run, StringId prefix);

/// Σ of (execute, prefix, activity, unit); absent when nothing matches, and for a prefix that is
/// none.
double activity_sum(const Run& run, StringId prefix, std::string_view activity,
                    std::string_view unit);

/// The same over all prefixes but Dask's own "N/A".
double activity_sum(const Run& run, std::string_view activity, std::string_view unit);

/// Which of Dask's activities are summed.
struct ActivityChoice {
  std::string unit;                      ///< "seconds", "bytes", "count", ...: never mixed
  std::vector<std::string_view> hidden;  ///< activities that are left out
  const Selection& selection;            ///< of which task prefixes narrow

  bool wants(const Run& run, std::size_t activity) const;
};

/// Dask's own idle time, by subtraction: no function, no activity of one.
bool is_idle_activity(std::string_view activity);

/// Whether the selected task prefixes, where there are any, hold that of an activity.
bool is_selected(const Run& run, const Selection& selection, std::size_t activity);

/// One activity, summed over all that a caller does not distinguish.
struct ActivitySum {
  std::string_view activity;
  double value = 0;
};

/// What tasks of one prefix did.
struct TaskFunction {
  std::string name;             ///< task prefix, an idle activity, or "12 others"
  StringId prefix = no_string;  ///< no_string for idle ones and for others together
  double merged = 1;            ///< how many functions the row is
  bool is_idle = false;
  double total = 0;
  std::vector<ActivitySum> parts;  ///< in the order of the record
};

/// Task execution by function, most first, by name where equal; of more than `most` the smallest
/// become one.
std::vector<TaskFunction> task_functions(const Run& run, const ActivityChoice& choice,
                                         std::size_t most);

/// Most first, by name where equal.
void sort_functions(std::vector<TaskFunction>& functions);

/// Σ within one context.
struct ContextSums {
  std::string_view context;
  double total = 0;
  std::vector<ActivitySum> activities;  ///< largest first, by name where equal
};

/// In the order of the record.
std::vector<ContextSums> context_sums(const Run& run, const ActivityChoice& choice);

/// How many tasks each prefix had, as far as anything counted them.
struct TaskCounts {
  struct Executed {
    double tasks = 0;    ///< executions, with those done again
    double seconds = 0;  ///< [s] their compute time; absent where the stream does not hold them
  };
  std::map<StringId, Executed> executed;
  bool stream_cut = false;  ///< the task stream lacks its beginning: only the processor's are known
};

/// From the task stream; the tasks of `processor` without it by its memory-read count.
TaskCounts count_tasks(const Run& run, StringId processor);

/// What series can be asked for, by name: those made of two, then those recorded.
inline constexpr std::string_view worker_series_names =
    "cpu_share, memory_utilization, memory, memory_limit, active_tasks, cores, nbytes, occupancy, "
    "executing, last_seen, cpu";

/// A quantity that every worker has at every tick, by name: roastcoffea's nine series, and what is
/// made of two of them.
///
///     cpu_share            process CPU / nthreads [1]
///     memory_utilization   resident memory / limit [1]
///     last_seen            the age of the last heartbeat at the tick [s], not the heartbeat's
///     moment
struct WorkerSeries {
  enum class Per : std::uint8_t { worker, thread, limit };
  Series which;
  Per per = Per::worker;

  /// What an option with the values `worker_series_names` says.
  static WorkerSeries of(const Options& options, const Option& option);

  std::string_view unit() const;
  std::string_view formula() const;

  /// The value of `worker` at element `k` of its series (`series(run, worker).values[k]`); absent
  /// where there is none.
  double value(const Run& run, std::size_t worker, std::size_t k) const;
  const TickSeries& series(const Run& run, std::size_t worker) const {
    return run.workers.of(which, worker);
  }
  /// Of the worker's values at these ticks.
  Moments moments(const Run& run, std::size_t worker, TickRange ticks) const;
};

/// Hosts in `recording.machine` whose CPUs are the run's: those with a worker, or all where none
/// has one. The client's and the scheduler's may be login nodes.
std::set<StringId> hosts_of_workers(const Run& run);

/// What of a worker's address is its process's: workers of `LocalCluster(processes=False)` share
/// one, "inproc://192.0.2.1/5058" of ".../5058/4". All of any other address.
std::string_view process_of(std::string_view address);

/// [byte] That a worker may use, by its last heartbeat, or as a profile knows it. 0: no limit.
double memory_limit(const Run& run, std::size_t worker);

/// [byte] By worker, the most that its process had in a task of the selected time: ticks of a
/// second miss it. Absent without rows of tasks.
std::vector<double> peaks_of_tasks(const Run& run, const Selection& selection);

/// The worker whose memory came nearest to its limit [byte]: where it began, its peak, its limit.
struct TightestWorker {
  double begin = absent, peak = absent, limit = absent;
};
TightestWorker tightest_worker(const Run& run);

/// [byte] rounded up to 128 MiB, as people ask for memory.
double in_steps(double bytes);
/// [byte] That would do for a worker with this peak: twice as much, as chunks of another run
/// differ.
inline double memory_enough(double peak) { return in_steps(2 * peak); }

/// A time interval in which Dask paused a worker because its memory was nearly full.
struct Pause {
  std::size_t worker;
  double begin, end;  ///< [s] on the run axis; to the end of the run if no end was recorded
  double share;       ///< of the memory limit that was in use at its begin; absent if not recorded
};

/// All pauses in order of their begin; empty if `crema.record` did not record workers' warnings.
std::vector<Pause> pauses_of(const Run& run);

/// What the machines of the chosen workers did, by `crema.record`'s processes: a value per tick.
/// Absent where no process of a host tells; all empty where none was recorded.
struct MachineUse {
  std::vector<double> busy;       ///< CPUs in use, Σ over hosts
  std::vector<double> own;        ///< of these by the chosen workers
  std::vector<double> others;     ///< of these by nothing that was recorded
  std::vector<double> usable;     ///< CPUs that affinity and containers leave to them
  std::vector<double> throttled;  ///< [1] of the time a quota held threads back, worst worker
  std::vector<double> swap_used;  ///< [byte] Σ over hosts
  /// [1] of the time some thread of the host waited for it, worst host
  std::vector<double> pressure_cpu, pressure_memory, pressure_io;
  /// [byte/s] of the hosts' disks and networks, Σ over hosts
  std::vector<double> disk_read, disk_written, received, sent;
  std::vector<double> client, scheduler;  ///< CPUs of these processes
  std::vector<double> started;   ///< of what the client's process started, without the workers
  std::vector<double> loop_lag;  ///< [s] of the scheduler's event loop, at most
};
MachineUse machine_use(const Run& run, const WorkerSelection& workers);
/// The same of all workers, kept by the run.
const MachineUse& machine_use(const Run& run);

/// Seconds between heartbeats of a worker, by the largest number of workers present
/// (`distributed.scheduler.heartbeat_interval`): 0.5 s up to 10, 1 s below 50, 2 s below 200, then
/// n / 200 + 1 s.
double heartbeat_interval(const Run& run);

}  // namespace crema::runtime
