#include "core/runtime/cluster/task_counts.hpp"

#include "core/runtime/cluster/processor.hpp"

namespace crema::runtime {

TaskCounts count_tasks(const Run& run, StringId processor) {
  TaskCounts counts;
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || tasks.prefix[i] == no_string) continue;
    TaskCounts::Executed& of = counts.executed[tasks.prefix[i]];
    of.tasks += 1;
    of.seconds += tasks.t1[i] - tasks.t0[i];
  }
  const double counted = activity_sum(run, processor, "memory-read", "count");
  const auto streamed = counts.executed.find(processor);
  counts.stream_cut = streamed != counts.executed.end() && streamed->second.tasks < counted;
  // A task of the processor reads one input, so that its tasks are counted without the stream, or
  // when that lacks its beginning.
  if (counts.stream_cut) counts.executed.clear();
  if (counted > 0 && !counts.executed.contains(processor))
    counts.executed[processor] = {counted, absent};
  return counts;
}

}  // namespace crema::runtime
