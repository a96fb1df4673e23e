#pragma once

#include <map>

#include "core/model/run.hpp"

namespace crema::runtime {

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

}  // namespace crema::runtime
