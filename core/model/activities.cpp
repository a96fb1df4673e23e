#include "core/model/tasks.hpp"

#include <unordered_map>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/run.hpp"

namespace crema {

void add_activities_of_tasks(Run& run) {
  if (run.activities_recorded || !run.schema.empty()) return;
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  std::vector<StringId> prefixes;  // in order of first appearance
  std::unordered_map<StringId, double> seconds;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || tasks.prefix[i] == no_string) continue;
    if (seconds.try_emplace(tasks.prefix[i], 0).second) prefixes.push_back(tasks.prefix[i]);
    seconds[tasks.prefix[i]] += value_or(tasks.t1[i] - tasks.t0[i], 0);
  }
  if (prefixes.empty()) return;
  const StringId execute = run.names->strings.intern("execute");
  const StringId unit = run.names->strings.intern("seconds");
  for (const StringId prefix : prefixes)
    run.activities.add(execute, prefix, compute, unit, seconds[prefix]);
  run.activities.source = tasks.source;
}

}  // namespace crema
