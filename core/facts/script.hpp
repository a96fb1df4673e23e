#pragma once

#include <cstdint>
#include <vector>

#include "core/facts/replay.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::facts {

// More cores than this are no recording of a cluster, and would be replayed one by one.
inline constexpr double most_cores = 1e6;

/// What is replayed: the chunks in the order in which they began, and what surrounds them.
struct Script {
  std::vector<std::uint32_t> order;  // chunks
  std::vector<double> inside;        // [s] in process(), by chunk
  double outside = 0;       // [s] per execution: opening files, building events, packing results
  double others = 0;        // [s] per execution: other tasks that ran among the chunks
  double begin = 0;         // [s] when the first task began
  double after = 0;         // [s] from the last chunk's end to the run's
  double elapsed = absent;  // [s] what happened
  double repeated = 0;      // executions done again
  std::vector<Slot> slots;
};

/// What a run's replay is made of; without chunks `order` is empty, without known cores `slots` is.
/// Kept by the run.
const Script& script_of(const Run& run, const Options& options);

/// Seconds of each task in order: `inside` by chunk, `outside` per execution, and its share of the
/// other tasks.
std::vector<double> tasks_of(const Script& script, const std::vector<double>& inside,
                             double outside);

/// When the run ends [s], were its tasks these on those slots.
double predicted(const Script& script, const std::vector<double>& tasks,
                 const std::vector<Slot>& slots);

/// On the recorded cluster, as it came and went. What was done again there came at unknown moments:
/// at the end it is work all the same.
double on_recorded_cluster(const Script& script, std::vector<double> tasks);

}  // namespace crema::facts
