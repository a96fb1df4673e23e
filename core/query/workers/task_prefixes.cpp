#include <algorithm>
#include <map>
#include <string_view>

#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::task_prefixes {

namespace {

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const StringId processor = find_processor(run, options).prefix;
  const TaskCounts counts = count_tasks(run, processor);
  std::map<std::string_view, TaskCounts::Executed> by_name;
  for (const auto& [id, of] : counts.executed) by_name[run.text(id)] = of;
  std::vector<std::pair<std::string_view, TaskCounts::Executed>> shown;
  for (const auto& [name, of] : by_name) {
    const auto& wanted = selection.prefixes;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      shown.emplace_back(name, of);
  }
  using Shown = std::pair<std::string_view, TaskCounts::Executed>;
  std::unordered_map<StringId, double> seconds;
  for (const TaskTime& time : task_times(run)) seconds[time.prefix] = time.all;
  Table table;
  Rows rows(table, shown);
  rows.text("prefix", &Shown::first);
  rows.number(
      "tasks", "count", [](const Shown& prefix) { return prefix.second.tasks; },
      "executions, with those done again");
  rows.number(
      "seconds_per_task", "s",
      [&](const Shown& prefix) {
        const auto executed = seconds.find(run.names->strings.find(prefix.first));
        return ratio(executed == seconds.end() ? prefix.second.seconds : executed->second,
                     prefix.second.tasks);
      },
      "execute seconds / tasks; without fine metrics, mean compute time");
  if (counts.executed.empty()) {
    table.note("missing",
               "tasks are counted in the task stream, which was not recorded, or by the inputs "
               "that they found in memory");
  } else if (counts.stream_cut) {
    table.note("source", "the processor's by its memory-read count: the task stream is cut off");
  } else {
    table.note("source", run.tasks.size() > 0 ? "counted in the task stream"
                                              : "the processor's by its memory-read count");
  }
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "task_prefixes",
    .about = "how many tasks each prefix had, and what one took",
    .options = {&runtime::processor_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::query::task_prefixes
