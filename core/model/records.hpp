#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"
#include "core/model/worker_end.hpp"

namespace crema {

/// Adds a row to columns: a value for each, in their order.
template <class Columns, class... Values>
void add_row(const Columns& columns, const Values&... values) {
  std::apply([&](auto&... column) { (column.push_back(values), ...); }, columns);
}

/// One `track_section` / `track_memory` / `track_bytes` value of one chunk; also list-form sections
/// of other writers.
struct SectionValue {
  /// [s] (of `crema.record` without sections within it), [byte] of RSS delta, [byte] read
  enum class Kind : std::uint8_t { seconds, memory, bytes };
  std::uint32_t chunk;
  StringId name;
  Kind kind;
  double value;
};

/// The chunks (one `process()` call each) in columns indexed by chunk number, in recorded order
/// (which is merge order, not time order). Memory in bytes. A number the record lacks is absent.
/// No record has CPU seconds, nor the worker (docs/meanings.md, What a chunk tells).
struct Chunks {
  std::vector<StringId> dataset;
  std::vector<StringId> file;
  std::vector<double> entry_start, entry_stop;
  /// [epoch s] of the worker until `align::settle`, then [s] on the run axis
  std::vector<double> t_start, t_end;
  std::vector<double> duration;  ///< [s] as recorded, else t_end − t_start
  std::vector<double> events;
  std::vector<double> bytes_read;  ///< read inside process()
  std::vector<double> memory_before, memory_after, memory_delta;
  std::vector<double> branches_accessed;
  std::vector<double> accessed_bytes;  ///< a fact of the *file*, repeated in each of its chunks
  std::vector<double> accessed_uncompressed_bytes;
  std::vector<double> branches_read_fraction, bytes_read_fraction;  ///< facts of the file, too
  std::vector<std::uint32_t> branch_set;  ///< index into `branch_sets`, no_set when not recorded
  std::vector<StringId> error;  ///< text of the exception (Nov 2025 writers), no_string = none
  /// numbers that the analysis added, by key; shorter columns end with absent values
  std::map<std::string, std::vector<double>> extra;

  /// address of the worker that ran it, by the task that contains it (align::match_chunks);
  /// no_string where none does. Empty where no task stream tells.
  std::vector<StringId> worker;
  /// The row of `Tasks` that is this execution; no_set where none is known. Empty likewise.
  std::vector<std::uint32_t> task;
  /// Chunks and task stream are of the same rows (align::add_rows): by one clock, workers known.
  bool of_tasks = false;

  std::vector<SectionValue> sections;
  /// distinct lists of accessed branches, sorted by id
  std::vector<std::vector<StringId>> branch_sets;

  /// Chunks of an earlier run, which coffea's checkpointer kept: in no column, but in all that
  /// coffea and roastcoffea sum up.
  std::size_t earlier = 0;

  /// The times fit the run. False where workers' clocks disagree by an unknown amount: durations
  /// hold, but not when a chunk ran.
  bool placed = true;

  static constexpr std::uint32_t no_set = 0xffffffffU;

  std::size_t size() const { return t_start.size(); }
  /// Every column that has a value per chunk, but `extra`; the last ones may be shorter.
  template <class C>
  static auto columns_of(C& c) {
    return std::tie(c.dataset, c.file, c.entry_start, c.entry_stop, c.t_start, c.t_end, c.duration,
                    c.events, c.bytes_read, c.memory_before, c.memory_after, c.memory_delta,
                    c.branches_accessed, c.accessed_bytes, c.accessed_uncompressed_bytes,
                    c.branches_read_fraction, c.bytes_read_fraction, c.branch_set, c.error,
                    c.worker, c.task);
  }
  /// Gives every column but `worker` and `task` so many chunks, whose values are absent.
  void resize(std::size_t chunks);
  /// The number of that list of branches, sorted by id, in `branch_sets`; added when new.
  std::uint32_t set_of(std::vector<StringId> branches);
  /// Takes out the chunks that are not `kept` (one flag per chunk), with their sections.
  void keep(const std::vector<bool>& kept);
};

/// What is known of each input file, in columns indexed by file number.
struct Files {
  std::vector<StringId> name;
  std::vector<double> compression_ratio;  ///< compressed / uncompressed
  std::vector<double> branches_total;
  std::vector<double> tree_bytes;  ///< [byte] compressed size of the tree
  std::vector<double> bytes_read;  ///< [byte] as `file_read_metrics` has it
  std::vector<double> branches_read_fraction;
  std::vector<double> bytes_read_fraction;

  std::size_t size() const { return name.size(); }
  /// The file of that name, or size().
  std::size_t find(StringId file_name) const;
  /// The file of that name, added when new.
  std::size_t intern(StringId file_name);

 private:
  std::unordered_map<StringId, std::size_t> index_;
};

/// The nine per-worker series of roastcoffea's tracking loop (`tracking_data.worker_*`), in SI
/// units.
enum class Series : std::uint8_t {
  memory,        ///< [byte] resident set
  memory_limit,  ///< [byte], 0 = no limit
  active_tasks,  ///< tasks assigned to the worker (`WorkerState.processing`)
  cores,         ///< nthreads
  nbytes,        ///< [byte] of results held
  occupancy,     ///< [s] of estimated queued work
  executing,     ///< tasks really running, as of the last heartbeat
  last_seen,     ///< [epoch s] of the last heartbeat
  cpu,           ///< fraction of one core; above 1 with several threads
};
inline constexpr std::size_t series_count = 9;

/// roastcoffea's key of each series, without the "worker_" in front.
inline constexpr std::array<std::string_view, series_count> series_names = {
    "memory",    "memory_limit", "active_tasks", "cores", "nbytes",
    "occupancy", "executing",    "last_seen",    "cpu"};
/// The unit of each as a question shows it: of `last_seen` its age.
inline constexpr std::array<std::string_view, series_count> series_units = {
    "byte", "byte", "count", "count", "byte", "s", "count", "s", "1"};

/// The ticks from `begin` on, up to the one before `end`.
struct TickRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Values of one worker at consecutive ticks, beginning with `first_tick`; absent where a tick has
/// none.
struct TickSeries {
  std::uint32_t first_tick = 0;
  std::vector<double> values;

  bool empty() const { return values.empty(); }
  std::size_t end_tick() const { return first_tick + values.size(); }

  /// The value at `tick`; absent outside the series. Inlined: code that is compiled for size calls
  /// it per tick, too.
  [[gnu::always_inline]] double at(std::size_t tick) const {
    return tick < first_tick || tick >= end_tick() ? absent : values[tick - first_tick];
  }

  /// The ticks of the series that are in the range.
  TickRange within(TickRange ticks) const {
    return {std::max<std::size_t>(ticks.begin, first_tick), std::min(ticks.end, end_tick())};
  }
  /// The last value in the range; absent where there is none.
  double last(TickRange ticks) const;

  /// Sets the value at `tick`, widening the series (with absent values) where needed.
  void set(std::size_t tick, double value);
};

/// What a worker runs on, as `crema.record` asked it; CPUs are threads of hardware.
struct Machine {
  double cpus = absent;    ///< of the host
  double cores = absent;   ///< of the host, physical ones
  double usable = absent;  ///< of the host's CPUs by the worker: affinity, container
  double busy = absent;    ///< CPUs of the host in use while recorded, on average
  double own = absent;     ///< of those by the worker
};

/// An attempt at a job of a batch system.
struct BatchJob {
  StringId id = no_string;              ///< "12.0"
  StringId host = no_string;            ///< of the slot's name, else of the address
  StringId address = no_string;         ///< of the machine: "10.0.0.2"
  double begin = absent, end = absent;  ///< [epoch s] by the log's clock; it has not ended
  /// How and in which words; `not_said` where it ended well, or not yet.
  WorkerEnd how = WorkerEnd::not_said;
  StringId words = no_string;
};

/// The workers of a run in columns indexed by worker number, in order of first sight.
struct Workers {
  std::vector<StringId> address;
  std::vector<StringId> name;  ///< no_string when no source has it
  std::vector<StringId> host;  ///< as recorded, else the host of the address, else no_string
  /// the job of a batch system in which it ran (align::match_jobs), no_string where none is known
  std::vector<StringId> job;
  /// from worker meta or scheduler info; absent when only `cores` ticks know
  std::vector<double> nthreads;
  std::vector<double> memory_limit;  ///< [byte] likewise
  std::vector<Machine> machine;
  std::array<std::vector<TickSeries>, series_count> series;  ///< [series][worker]

  std::size_t size() const { return address.size(); }
  const TickSeries& of(Series which, std::size_t worker) const {
    return series[static_cast<std::size_t>(which)][worker];
  }
  TickSeries& of(Series which, std::size_t worker) {
    return series[static_cast<std::size_t>(which)][worker];
  }

  /// The worker of that address, added when new.
  std::size_t intern(StringId worker_address);
  /// The worker of that address, or size().
  std::size_t find(StringId worker_address) const;

 private:
  std::unordered_map<StringId, std::uint32_t> index_;
};

/// Who tells of a run's tasks and workers, the better source first.
enum class Teller : std::uint8_t {
  own,              ///< Dask, roastcoffea, or `crema.record`
  manager,          ///< the log of a workflow manager, to the event
  manager_samples,  ///< its numbers, every few seconds
  batch,            ///< the log of a batch system, whose jobs may be workers of the others
};

/// Dask's task stream, one row per action of a task (`startstops`), in recorded order, in columns.
struct Tasks {
  std::vector<StringId> key;
  std::vector<StringId> prefix;  ///< `key_split(key)`
  std::vector<StringId> worker;  ///< address
  std::vector<double> thread;    ///< identity of the worker's thread; opaque
  /// "compute", "transfer", "disk-read", "disk-write", "deserialize"
  std::vector<StringId> action;
  std::vector<double> t0, t1;    ///< [epoch s] until `align::settle`, then [s] on the run axis
  std::vector<double> nbytes;    ///< [byte] of the task's result
  std::vector<StringId> status;  ///< "OK", "error"
  /// what a failed task raised ("MemoryError('…')"), as Dask prints it (`exception_text`)
  std::vector<StringId> exception;
  std::string source;
  bool from_page = false;  ///< read back from a performance report, which repeats a task stream
                           ///< without its sizes

  std::size_t size() const { return key.size(); }
  template <class T>
  static auto columns_of(T& t) {
    return std::tie(t.key, t.prefix, t.worker, t.thread, t.action, t.t0, t.t1, t.nbytes, t.status,
                    t.exception);
  }
  template <class... Values>
  void add(const Values&... values) {
    add_row(columns_of(*this), values...);
  }
};

/// How many tasks were in each of the scheduler's states ("waiting", "queued", "processing", …):
/// the changes, in order of time. The first are what there was when the recording began.
struct TaskStates {
  std::vector<double> t;  ///< [epoch s] until `align::settle`, then [s] on the run axis
  std::vector<StringId> state;
  std::vector<StringId> worker;  ///< address, of "processing": where they were assigned to
  std::vector<double> tasks;     ///< more, or less
  Teller teller = Teller::own;

  void add(double when, StringId in_state, StringId on_worker, double more) {
    add_row(std::tie(t, state, worker, tasks), when, in_state, on_worker, more);
  }
};

/// The prefix of a task's key as Dask splits it (`dask.utils.key_split`): "ZprimeProcessor-0f3a…"
/// is of "ZprimeProcessor".
std::string key_split(std::string_view key);

/// A Dask span: when its work was known and done, and how many threads the cluster had meanwhile;
/// or how many a workflow manager had.
struct Span {
  struct Threads {
    double begin, end;  ///< [epoch s] until `align::settle`, then [s] on the run axis
    double nthreads;
  };
  std::string name;
  double enqueued, start, stop;   ///< likewise
  std::vector<Threads> nthreads;  ///< `nthreads_intervals`
  std::string source;
  Teller teller = Teller::own;
};

/// The span of a cluster from `begin` to `until` [epoch s] of which `changes` tells when it had how
/// many threads more, or fewer.
Span span_of_changes(std::string name, std::map<double, double> changes, double begin, double until,
                     std::string source, Teller teller = Teller::own);

/// Fine performance metrics: one value per (context, prefix, activity, unit), as in Dask's
/// `Span.cumulative_worker_metrics` and `Scheduler.cumulative_worker_metrics`. Open-ended: any
/// label may occur (docs/meanings.md, Activities).
struct Activities {
  /// "execute", "p2p", "get-data", ...; no_string for a plain string key
  std::vector<StringId> context;
  std::vector<StringId> prefix;    ///< task prefix; no_string where the context has none
  std::vector<StringId> activity;  ///< "thread-cpu", ...; an unparsed key is kept here as its text
  /// "seconds", "bytes", "count", any; no_string when the key has none
  std::vector<StringId> unit;
  std::vector<double> value;
  std::string source;  ///< the file, for telling which of two sources was used

  std::size_t size() const { return value.size(); }
  void add(StringId in_context, StringId of_prefix, StringId an_activity, StringId in_unit,
           double amount) {
    add_row(std::tie(context, prefix, activity, unit, value), in_context, of_prefix, an_activity,
            in_unit, amount);
  }
  /// Adds to the value of that key.
  void sum(StringId in_context, StringId of_prefix, StringId an_activity, StringId in_unit,
           double amount);
};

/// What Dask's SystemMonitor saw of the scheduler's process and machine, a row per sample (0.5 s by
/// default), in columns of equal length (distributed/system_monitor.py). Only a performance report
/// keeps it.
struct SystemLoad {
  std::vector<double> t;       ///< [epoch s] until `align::settle`, then [s] on the run axis
  std::vector<double> cpu;     ///< of the scheduler's process, 1 = one core
  std::vector<double> memory;  ///< [byte] of the scheduler's process (RSS)
  /// [byte/s] of the machine
  std::vector<double> network_read, network_write, disk_read, disk_write;
  std::vector<double> open_files;
  std::string source;

  std::size_t size() const { return t.size(); }
};

}  // namespace crema
