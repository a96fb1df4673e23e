#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/model/run.hpp"
#include "core/model/worker_selection.hpp"

namespace crema::runtime {

/// Why a core had nothing to run.
enum class IdleCause : std::uint8_t {
  starting,       ///< before its worker's first task of the processor
  between_tasks,  ///< a gap shorter than `short_gap`: the scheduler's and the worker's own time
  nothing_ready,  ///< no more tasks were assigned to the worker than it executed
  held_back,      ///< more were assigned than it executed: their inputs, or the worker, were late
  fetching,       ///< the worker fetched results that its next tasks need
  leaving,        ///< after the last task of a worker that left before the end
  tail,           ///< after the last task of the processor had begun
  unassigned,     ///< tasks were ready, and the scheduler had not assigned one to the worker
  paused,         ///< Dask had paused the worker, whose memory was nearly full
  unknown,
};
inline constexpr std::array<std::string_view, 10> idle_causes = {
    "Starting",       "Between tasks", "No task ready", "Held back",     "Fetching inputs",
    "Worker leaving", "Tail",          "Not assigned",  "Worker paused", "Cause not recorded"};
inline constexpr double short_gap = 0.15;  ///< [s]

/// Idle core-seconds by cause.
struct IdleTime {
  std::array<double, idle_causes.size()> seconds{};
  bool exact = false;   ///< gaps are those of the task stream; else what heartbeats say at ticks
  bool states = false;  ///< which tasks were ready or assigned is known at each moment
};

/// In [begin, end], of the chosen workers. All zero where neither tasks nor heartbeats were
/// recorded.
IdleTime find_idle(const Run& run, const WorkerSelection& workers, StringId processor, double begin,
                   double end);

}  // namespace crema::runtime
