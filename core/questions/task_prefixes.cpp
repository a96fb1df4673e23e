#include <algorithm>
#include <map>
#include <string_view>

#include "core/facts/lost_work.hpp"
#include "core/facts/processor.hpp"
#include "core/questions/question.hpp"
#include "core/table/rows.hpp"

namespace crema::questions::task_prefixes {

namespace {

struct Computed {
  double tasks = 0;
  double seconds = 0;
};

/// What the task stream computed, by prefix.
std::map<StringId, Computed> computed_in_stream(const Run& run) {
  const Tasks& tasks = run.tasks;
  const StringId compute = run.names->strings.find("compute");
  std::map<StringId, Computed> computed;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || tasks.prefix[i] == no_string) continue;
    Computed& of = computed[tasks.prefix[i]];
    of.tasks += 1;
    of.seconds += tasks.t1[i] - tasks.t0[i];
  }
  return computed;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options& options) {
  const Run& run = *runs[0];
  const StringId processor = find_processor(run, options).prefix;
  std::map<StringId, Computed> computed = computed_in_stream(run);
  const double counted = activity_sum(run, processor, "memory-read", "count");
  const auto streamed = computed.find(processor);
  const bool cut = streamed != computed.end() && streamed->second.tasks < counted;
  // A task of the processor reads one input, so that its tasks are counted without the stream, or
  // when that lacks its beginning.
  if (cut) computed.clear();
  if (counted > 0 && !computed.contains(processor)) computed[processor] = {counted, absent};

  std::map<std::string_view, Computed> by_name;
  for (const auto& [id, of] : computed) by_name[run.text(id)] = of;
  std::vector<std::pair<std::string_view, Computed>> shown;
  for (const auto& [name, of] : by_name) {
    const auto& wanted = selection.prefixes;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      shown.emplace_back(name, of);
  }
  using Shown = std::pair<std::string_view, Computed>;
  const std::unordered_map<StringId, double> seconds = execute_seconds(run);
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
  if (computed.empty()) {
    table.note("missing",
               "tasks are counted in the task stream, which was not recorded, or by the inputs "
               "that they found in memory");
  } else if (cut) {
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
    .options = {&facts::processor_option},
    .narrowed_by = Selection::by_prefix,
    .function = answer,
};

}  // namespace crema::questions::task_prefixes
