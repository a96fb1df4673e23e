#pragma once

#include <string>
#include <vector>

#include "core/base/string_pool.hpp"

namespace crema {

/// Dask's task stream, one row per action of a task (`startstops`), in recorded order, in columns.
struct Tasks {
  std::vector<StringId> key;
  std::vector<StringId> prefix;  ///< `key_split(key)`
  std::vector<StringId> worker;  ///< address
  std::vector<double> thread;    ///< identity of the worker's thread; opaque
  /// "compute", "transfer", "disk-read", "disk-write", "deserialize"
  std::vector<StringId> action;
  std::vector<double> t0, t1;    ///< [epoch s] until `settle_clock`, then [s] on the run axis
  std::vector<double> nbytes;    ///< [byte] of the task's result
  std::vector<StringId> status;  ///< "OK", "error"
  /// what a failed task raised ("MemoryError('…')"), as Dask prints it (`exception_text`)
  std::vector<StringId> exception;
  std::string source;
  bool from_page = false;  ///< read back from a performance report, which repeats a task stream
                           ///< without its sizes

  std::size_t size() const { return key.size(); }
};

/// How many tasks were in each of the scheduler's states ("waiting", "queued", "processing", …):
/// the changes, in order of time. The first are what there was when the recording began.
struct TaskStates {
  std::vector<double> t;  ///< [epoch s] until `settle_clock`, then [s] on the run axis
  std::vector<StringId> state;
  std::vector<StringId> worker;  ///< address, of "processing": where they were assigned to
  std::vector<double> tasks;     ///< more, or less
};

/// The prefix of a task's key as Dask splits it (`dask.utils.key_split`): "ZprimeProcessor-0f3a…"
/// is of "ZprimeProcessor".
std::string key_split(std::string_view key);

/// A Dask span: when its work was known and done, and how many threads the cluster had meanwhile.
struct Span {
  struct Threads {
    double begin, end;  ///< [epoch s] until `settle_clock`, then [s] on the run axis
    double nthreads;
  };
  std::string name;
  double enqueued, start, stop;   ///< likewise
  std::vector<Threads> nthreads;  ///< `nthreads_intervals`
  std::string source;
};

}  // namespace crema
