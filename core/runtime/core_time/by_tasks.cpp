#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/most_first.hpp"
#include "core/profile/profiles.hpp"
#include "core/runtime/core_time/branches.hpp"

namespace crema::runtime {

using namespace profile;

namespace {

std::string idle_note(IdleCause cause, bool exact) {
  const char* const basis = exact ? "; gaps of the task stream, scaled to the idle time"
                                  : "; by heartbeats at each tick, scaled to the idle time";
  const auto with = [&](const char* text) { return std::string(text) + basis; };
  switch (cause) {
    case IdleCause::starting: return with("before the worker's first task of the processor");
    case IdleCause::between_tasks: return with("gaps shorter than 150 ms");
    case IdleCause::nothing_ready:
      return with("no more tasks were assigned to the worker than it executed");
    case IdleCause::held_back:
      return with("more tasks were assigned to the worker than it executed");
    case IdleCause::fetching: return with("while the worker fetched results of others");
    case IdleCause::leaving: return with("after the last task of a worker that left");
    case IdleCause::tail: return with("after the last task of the processor had begun");
    case IdleCause::unassigned:
      return with("tasks were ready, and none was assigned to the worker");
    case IdleCause::paused: return with("Dask had paused the worker: its memory was nearly full");
    case IdleCause::unknown: break;
  }
  return with("nothing recorded says why");
}

}  // namespace

TaskTime sum_of(const TreeInput& input, bool with_processor) {
  TaskTime all;
  for (const TaskTime& time : input.threads) {
    if (time.prefix == input.processor && !with_processor) continue;
    all.all += time.all;
    all.cpu += time.cpu;
    all.waiting += time.waiting;
  }
  return all;
}

std::vector<Branch> activity_branches(const Run& run, StringId prefix) {
  const Activities& a = run.activities;
  std::vector<StringId> activities;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.prefix[i] != prefix || !is_of_tasks(run, i) || run.text(a.unit[i]) != "seconds") continue;
    const auto known = std::find(activities.begin(), activities.end(), a.activity[i]);
    const auto place = static_cast<std::size_t>(known - activities.begin());
    if (known == activities.end()) {
      activities.push_back(a.activity[i]);
      seconds.push_back(0);
    }
    seconds[place] += a.value[i];
  }
  std::vector<Branch> branches;
  for (const std::uint32_t i : most_first(seconds)) {
    if (!(seconds[i] > 0)) continue;
    const std::string name(run.text(activities[i]));
    CoreTimeNode& node = branches.emplace_back(named_part("activity", name, seconds[i])).node;
    node.note = "Σ seconds of " + name + ", by Dask's fine metrics";
    node.on_cpu = name == "thread-cpu" ? seconds[i] : 0;
    node.waiting = name == "thread-noncpu" ? seconds[i] : 0;
    node.split_measured = true;
  }
  return branches;
}

Branch other_tasks(const TreeInput& input) {
  std::vector<const TaskTime*> others;
  std::vector<double> seconds;
  for (const TaskTime& time : input.threads) {
    if (time.prefix == input.processor) continue;
    others.push_back(&time);
    seconds.push_back(time.all);
  }
  const TaskTime all = sum_of(input, false);
  Branch made = part_of("other_tasks", "Other tasks", all.all, "other_tasks");
  made.node.note = "Σ execute seconds of all task prefixes but the processor's";
  split_threads(made.node, all, true);
  for (const std::uint32_t i : most_first(seconds)) {
    const TaskTime& time = *others[i];
    const bool is_named = time.prefix != no_string;
    const std::string name =
        is_named ? std::string(input.run.text(time.prefix)) : "(no task prefix)";
    Branch& task =
        made.below.emplace_back(is_named ? named_part("task", name, time.all)
                                         : part_of("task", name, time.all, "(no_task_prefix)"));
    task.node.note = "Σ execute seconds of " + name;
    split_threads(task.node, time, true);
    if (input.by == CoreTimeSplit::activities)
      task.below = activity_branches(input.run, time.prefix);
  }
  return made;
}

Branch idle_branch(const TreeInput& input, double core_seconds, std::string source, bool causes) {
  Branch made = part_of("idle", "Idle", core_seconds, "idle");
  made.node.note = std::move(source);
  made.node.on_cpu = made.node.waiting = 0;
  made.node.split_measured = true;
  const double seconds = made.node.core_seconds;
  if (!causes || !(seconds > 0)) return made;
  const IdleTime idle = find_idle(input.run, WorkerSelection(input.run, input.selection),
                                  input.processor, input.begin, input.end);
  const double sum = std::accumulate(idle.seconds.begin(), idle.seconds.end(), 0.0);
  for (std::size_t i = 0; i < idle.seconds.size() && sum > 0; ++i) {
    if (!(idle.seconds[i] > 0)) continue;
    const std::string name(idle_causes[i]);
    CoreTimeNode& node =
        made.below.emplace_back(part_of("idle_cause", name, seconds * idle.seconds[i] / sum, name))
            .node;
    const auto cause = static_cast<IdleCause>(i);
    node.note = idle_note(cause, idle.exact);
    if (cause == IdleCause::unknown) {
      node.certainty = "not known";
    } else if (!idle.exact || (!idle.states && (cause == IdleCause::nothing_ready ||
                                                cause == IdleCause::held_back))) {
      node.certainty = "estimated";
      node.least = 0;
      node.most = seconds;
    }
  }
  return made;
}

std::vector<Branch> lost_branches(const TreeInput& input, double core_seconds) {
  const Run& run = input.run;
  const Tasks& tasks = run.tasks;
  std::vector<double> by_worker(run.workers.size() + 1, 0);  // the last: of unknown ones
  std::map<std::string_view, double> by_exception;
  double sum = 0;
  for (const std::size_t record : executions_in_vain(run, input.processor)) {
    const double seconds = value_or(
        std::min(tasks.t1[record], input.end) - std::max(tasks.t0[record], input.begin), 0);
    if (!(seconds > 0)) continue;
    if (run.text(tasks.status[record]) == "error")
      by_exception[exception_class(run.text(tasks.exception[record]))] += seconds;
    else by_worker[run.workers.find(tasks.worker[record])] += seconds;
    sum += seconds;
  }
  std::vector<Branch> branches;
  if (!(sum > 0) || !(core_seconds > 0)) return branches;
  const double scale = core_seconds / sum;
  const auto add = [&](Branch made, const char* text) {
    made.node.note = text;
    split_threads(made.node, input.of_processor, false);
    branches.push_back(std::move(made));
  };
  for (const auto& [name, seconds] : by_exception) {
    add(name.empty() ? part_of("exception", "failed", seconds * scale, "(failed)")
                     : named_part("exception", std::string(name), seconds * scale),
        "executions that failed with it and were run again: from the task stream");
  }
  for (const std::uint32_t w : most_first(by_worker)) {
    if (!(by_worker[w] > 0)) break;
    const bool is_known = w < run.workers.size();
    add(part_of("worker",
                is_known ? worker_label(run, run.workers.address[w]) : std::string("(unknown)"),
                by_worker[w] * scale,
                is_known ? std::string(run.text(run.workers.address[w])) : "(unknown)"),
        "done by this worker, and again elsewhere: from the task stream");
  }
  return branches;
}

}  // namespace crema::runtime
