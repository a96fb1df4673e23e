#include "core/facts/lost_work.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"

namespace crema::facts {

namespace {

LostWork from_task_stream(const Run& run, StringId processor) {
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  struct Execution {
    double t0 = absent;
    double seconds = 0;
  };
  std::unordered_map<StringId, Execution> last;  // of each key
  LostWork lost{
      0, 0, 0, true,
      "exact, from the task stream: compute seconds of each execution of a key before its last"};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.prefix[i] != processor || tasks.action[i] != compute) continue;
    lost.executions += 1;
    Execution now{tasks.t0[i], tasks.t1[i] - tasks.t0[i]};
    const auto [entry, is_first] = last.try_emplace(tasks.key[i], now);
    if (is_first) continue;
    // The one that began earlier was in vain; records need not be in order.
    if (entry->second.t0 < now.t0) std::swap(entry->second, now);
    lost.core_seconds += now.seconds;
    lost.repeated += 1;
  }
  return lost;
}

}  // namespace

double executions_in_stream(const Run& run, StringId processor) {
  return from_task_stream(run, processor).executions;
}

LostWork find_lost_work(const Run& run, StringId processor, double processor_seconds) {
  const double counted = activity_sum(run, processor, "memory-read", "count");
  LostWork streamed = from_task_stream(run, processor);
  if (streamed.executions > 0 && !(streamed.executions < counted)) return streamed;
  LostWork lost;
  lost.executions = counted;
  const double submitted = report_num_chunks(run);
  if (is_absent(lost.executions) || is_absent(submitted) || !(lost.executions > 0)) {
    if (streamed.executions > 0) {
      // Counted, but nothing to compare with: what the cut stream shows is the least.
      streamed.exact = false;
      streamed.source = "at least: the task stream is cut off";
      return streamed;
    }
    lost.source = "not known: the bundle does not count the executions of the processor";
    return lost;
  }
  lost.repeated = std::max(0.0, lost.executions - submitted);
  lost.core_seconds = lost.repeated * processor_seconds / lost.executions;
  lost.source =
      "estimated: (executions by the memory-read count − chunks submitted) x mean task time";
  if (streamed.executions > 0) lost.source += "; the task stream is cut off and shows too few";
  return lost;
}

}  // namespace crema::facts
