#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/string_pool.hpp"

namespace crema {

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
    t.push_back(when);
    state.push_back(in_state);
    worker.push_back(on_worker);
    tasks.push_back(more);
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
    context.push_back(in_context);
    prefix.push_back(of_prefix);
    activity.push_back(an_activity);
    unit.push_back(in_unit);
    value.push_back(amount);
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
