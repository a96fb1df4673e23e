#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::predict {

using namespace runtime;

/// A core that takes tasks: from when, and until when it begins new ones [s].
struct Slot {
  double from = 0;
  double until = std::numeric_limits<double>::infinity();
};

/// List scheduling: each task, in the given order, begins on the slot that is free first. Returns
/// when the last one ends [s]; absent when tasks are left that no slot takes.
double replay(const std::vector<double>& task_seconds, const std::vector<Slot>& slots);

// More cores than this are no recording of a cluster, and would be replayed one by one.
inline constexpr double most_cores = 1e6;

/// An execution of the processor that left no chunk: its result was lost, or it failed.
struct Extra {
  std::size_t before = 0;      ///< it began before the chunk at this place in the order
  double seconds = 0;          ///< the whole task
  bool is_superseded = false;  ///< it was done again
};

/// What is replayed: the chunks in the order in which they began, and what surrounds them.
struct ReplayTrace {
  std::vector<std::uint32_t> order;  // chunks
  std::vector<double> inside;        // [s] in process(), by chunk
  double outside = 0;         // [s] per chunk: opening files, building events, packing results
  double others = 0;          // [s] per chunk: other tasks that ran among the chunks
  double gap = 0;             // [s] per chunk: a core idles between two tasks; 0 without a stream
  double begin = 0;           // [s] when the first task began
  double after = 0;           // [s] from the last chunk's end to the run's
  double elapsed = absent;    // [s] what happened
  double repeated = 0;        // executions done again
  std::vector<Extra> extras;  // where a whole task stream has them
  bool exact = false;         // tasks and cores are those of a whole task stream
  std::vector<Slot> slots;
};

/// What a run's replay is made of; without chunks `order` is empty, without known cores `slots` is.
/// Kept by the run.
const ReplayTrace& replay_trace_of(const Run& run, const Options& options);

/// Seconds of each chunk's task in order: `inside` by chunk, `outside`, its share of the other
/// tasks and the gap before the next.
std::vector<double> tasks_of(const ReplayTrace& trace, const std::vector<double>& inside,
                             double outside);

/// When the run ends [s], were its tasks these on those slots.
double predicted(const ReplayTrace& trace, const std::vector<double>& tasks,
                 const std::vector<Slot>& slots);

/// On the recorded cluster, as it came and went, with what was done again: when it was, where a
/// task stream tells; else at the end, where it is work all the same.
double on_recorded_cluster(const ReplayTrace& trace, std::vector<double> tasks);

/// The same tasks, the longest first: at most 4/3 of the best possible (R. L. Graham, SIAM J. Appl.
/// Math. 17, 1969).
std::vector<double> longest_first(std::vector<double> tasks);

/// How a run ended, and what it cost.
struct Tail {
  double t95 = absent;           ///< [s] run axis: 95 % of the chunks were done
  double end = absent;           ///< [s] the last chunk's end
  double core_seconds = absent;  ///< [core-s] available from t95 to the end
  double core_seconds_wasted =
      absent;  ///< ∫ (cores − chunks running) over [t95, end], where it is positive
  double ideal_makespan = absent;  ///< [s] the longest chunks first, by the replay of the run; of a
                                   ///< selection, on as many cores; at most the actual one
  double actual_makespan = absent;  ///< [s] first start to last end
  double cores = absent;            ///< the number of cores of the ideal schedule
  std::size_t critical_chunk = 0;   ///< the one that ended last
  bool any = false;                 ///< there are chunks with times
};
Tail find_tail(const Run& run, const ChunkSelection& chosen, const Options& options);

}  // namespace crema::predict
