#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/base/order.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time/branches.hpp"

namespace crema::runtime {

using namespace profile;

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

std::string name_of_prefix(const Run& run, StringId prefix) {
  return prefix == no_string ? "(no task prefix)" : std::string(run.text(prefix));
}

std::vector<std::pair<StringId, double>> activity_seconds(const Run& run, const StringId* prefix) {
  const Activities& a = run.activities;
  std::vector<std::pair<StringId, double>> found;
  std::unordered_map<StringId, std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((prefix != nullptr && a.prefix[i] != *prefix) || !is_of_tasks(run, i) ||
        run.text(a.unit[i]) != "seconds")
      continue;
    one_of(places, a.activity[i], found, {a.activity[i], 0}).second += a.value[i];
  }
  return found;
}

std::vector<Branch> activity_branches(const TreeInput& input, StringId prefix) {
  const Run& run = input.run;
  const bool by_rows =
      !run.recording.source.empty() && run.activities.source == run.recording.source;
  std::vector<std::pair<StringId, double>> found = activity_seconds(run, &prefix);
  sort_stably(found, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<Branch> branches;
  for (const auto& [activity, seconds] : found) {
    if (!(seconds > 0)) continue;
    const std::string name(run.text(activity));
    Branch& branch = branches.emplace_back(
        named_part("activity", name, seconds,
                   "Σ seconds of " + name +
                       (by_rows ? ", measured of each task" : ", by Dask's fine metrics")));
    CoreTimeNode& node = branch.node;
    node.on_cpu = name == "thread-cpu" ? seconds : 0;
    node.waiting = name == "thread-noncpu" ? seconds : 0;
    node.split_measured = true;
    if (name == "thread-noncpu" && prefix == input.processor)
      branch.below = waiting_branches(input, seconds);
  }
  return branches;
}

Branch other_tasks(const TreeInput& input) {
  std::vector<TaskTime> others = input.threads;
  std::erase_if(others, [&](const TaskTime& time) { return time.prefix == input.processor; });
  sort_stably(others, [](const TaskTime& a, const TaskTime& b) { return a.all > b.all; });
  const TaskTime all = sum_of(input, false);
  Branch made =
      part_of("other_tasks", label_of(BudgetPart::Kind::other_tasks), all.all,
              "Σ execute seconds of all task prefixes but the processor's", "other_tasks");
  split_threads(made.node, all, true);
  for (const TaskTime& time : others) {
    const std::string name = name_of_prefix(input.run, time.prefix);
    const std::string note = "Σ execute seconds of " + name;
    Branch& task = made.below.emplace_back(
        time.prefix != no_string ? named_part("task", name, time.all, note)
                                 : part_of("task", name, time.all, note, "(no_task_prefix)"));
    split_threads(task.node, time, true);
    if (input.by == CoreTimeSplit::activities) task.below = activity_branches(input, time.prefix);
  }
  return made;
}

std::vector<Branch> idle_branches(const TreeInput& input, double core_seconds) {
  // In the order of IdleCause.
  constexpr std::array<const char*, idle_causes.size()> meanings = {
      "before the worker's first task of the processor",
      "gaps shorter than 150 ms",
      "no more tasks were assigned to the worker than it executed",
      "more tasks were assigned to the worker than it executed",
      "while the worker fetched results of others",
      "after the last task of a worker that left",
      "after the last task of the processor had begun, until all had ended",
      "after the last task of the processor: merging, and what the client did",
      "tasks were ready, and none was assigned to the worker",
      "Dask had paused the worker: its memory was nearly full",
      "tasks were ready, and a library that runs them started on the worker",
      "tasks were ready, and assigned to other workers that could not begin them",
      "nothing recorded says why"};
  const IdleTime idle = find_idle(input.run, WorkerSelection(input.run, input.selection),
                                  input.processor, input.time.begin, input.time.end);
  const double sum = std::accumulate(idle.seconds.begin(), idle.seconds.end(), 0.0);
  std::vector<Branch> branches;
  for (std::size_t i = 0; i < idle.seconds.size() && sum > 0; ++i) {
    if (!(idle.seconds[i] > 0)) continue;
    const std::string name(idle_causes[i]);
    const char* const basis = idle.exact ? "; gaps of the task stream, scaled to the idle time"
                                         : "; by heartbeats at each tick, scaled to the idle time";
    Branch& branch =
        branches.emplace_back(part_of("idle_cause", name, core_seconds * idle.seconds[i] / sum,
                                      std::string(meanings[i]) + basis, name));
    branch.below = client_branches(input.run, idle, i, core_seconds / sum);
    CoreTimeNode& node = branch.node;
    const auto cause = static_cast<IdleCause>(i);
    if (cause == IdleCause::unknown) {
      node.certainty = "not known";
    } else if (!idle.exact || (!idle.states && (cause == IdleCause::nothing_ready ||
                                                cause == IdleCause::held_back))) {
      node.certainty = "estimated";
      node.least = 0;
      node.most = core_seconds;
    }
  }
  return branches;
}

std::vector<Branch> lost_branches(const TreeInput& input, double core_seconds) {
  const Run& run = input.run;
  const Tasks& tasks = run.tasks;
  std::vector<double> by_worker(run.workers.size() + 1, 0);  // the last: of unknown ones
  std::map<std::string_view, double> by_exception;
  double sum = 0;
  for (const std::size_t record : superseded_executions(run, input.processor)) {
    const double seconds = value_or(
        std::min(tasks.t1[record], input.time.end) - std::max(tasks.t0[record], input.time.begin),
        0);
    if (!(seconds > 0)) continue;
    if (run.text(tasks.status[record]) == "error")
      by_exception[exception_class(run.text(tasks.exception[record]))] += seconds;
    else by_worker[run.workers.find(tasks.worker[record])] += seconds;
    sum += seconds;
  }
  std::vector<Branch> branches;
  if (!(sum > 0) || !(core_seconds > 0)) return branches;
  const double scale = core_seconds / sum;
  for (const auto& [name, seconds] : by_exception) {
    const char* const note =
        "executions that failed with it and were run again: from the task stream";
    branches.push_back(name.empty()
                           ? part_of("exception", "failed", seconds * scale, note, "(failed)")
                           : named_part("exception", std::string(name), seconds * scale, note));
  }
  for (const std::uint32_t w : most_first(by_worker)) {
    if (!(by_worker[w] > 0)) break;
    const StringId address = w < run.workers.size() ? run.workers.address[w] : no_string;
    const bool is_known = address != no_string;
    branches.push_back(part_of("worker", is_known ? worker_label(run, address) : "(unknown)",
                               by_worker[w] * scale,
                               "done by this worker, and again elsewhere: from the task stream",
                               is_known ? std::string(run.text(address)) : "(unknown)"));
  }
  for (Branch& branch : branches) split_threads(branch.node, input.of_processor);
  return branches;
}

// What `crema.record`'s rows measured of the processor's tasks: waiting, and CPU time in process().

namespace {

using recorded_columns::Task;

/// [s] For how long some thread of a host waited for a CPU while the row's task ran: the most that
/// it can have waited itself. Absent where no machine tells.
double waited_for_cpu(const Run& run, const MachineUse& machines, std::size_t row) {
  const double begin = run.recording.tasks.at(Task::begin, row);
  const double wall = run.recording.tasks.at(Task::wall, row);
  TickRange ticks = ticks_within(run, begin, begin + wall);
  // A task shorter than a second is of the second that it began in.
  if (ticks.begin == ticks.end && ticks.begin > 0) --ticks.begin;
  Moments share;
  for (std::size_t tick = ticks.begin; tick < std::min(ticks.end, machines.pressure_cpu.size());
       ++tick) {
    if (is_absent(machines.pressure_cpu[tick])) continue;
    share.count += 1;
    share.sum += machines.pressure_cpu[tick];
  }
  return wall * ratio(share.sum, static_cast<double>(share.count));
}

/// The same of all tasks of chunks.
double most_for_cpu(const Run& run) {
  const MachineUse& machines = machine_use(run);
  double sum = absent;
  for (const std::size_t row : rows_of_chunks(run)) {
    const double most = waited_for_cpu(run, machines, row);
    if (!is_absent(most)) sum = value_or(sum, 0) + most;
  }
  return sum;
}

}  // namespace

double cpu_in_process(const Run& run, const Selection& selection) {
  if (run.recording.chunk.empty()) return absent;
  const ChunkSelection chosen(run, selection);
  const std::vector<double> cpu = measured_of_chunks(run, Task::process_cpu);
  double sum = 0;
  for (std::size_t i = 0; i < run.chunks.size(); ++i) {
    if (chosen[i]) sum += chosen.share[i] * (cpu.empty() ? absent : cpu[i]);
  }
  return sum;
}

MeasuredWaiting measured_waiting(const Run& run) {
  const auto& tasks = run.recording.tasks;
  MeasuredWaiting all;
  for (const std::size_t row : rows_of_chunks(run)) {
    const double wall = tasks.at(Task::wall, row), off_cpu = wall - tasks.at(Task::cpu, row);
    if (is_absent(off_cpu)) continue;
    const double input = tasks.at(Task::request_wait, row);
    all.for_cpu = (all.wall > 0 ? all.for_cpu : 0) + tasks.at(Task::run_delay, row);
    all.wall += wall;
    all.off_cpu += off_cpu;
    if (!is_absent(input)) all.for_input = value_or(all.for_input, 0) + input;
  }
  return all;
}

std::vector<Branch> waiting_branches(const TreeInput& input, double seconds) {
  const Run& run = input.run;
  const MeasuredWaiting measured = measured_waiting(run);
  std::vector<Branch> branches;
  if (!(measured.off_cpu > 0) || !(seconds > 0)) return branches;
  const double scale = seconds / measured.off_cpu;
  double left = seconds;
  const auto add = [&](const char* name, double amount, const char* certainty, const char* note) {
    amount = std::min(amount, left);
    if (!(amount > 0)) return;
    left -= amount;
    CoreTimeNode& node = branches.emplace_back(part_of("waiting", name, amount, note, name)).node;
    node.certainty = certainty;
    node.on_cpu = 0;
    node.waiting = amount;
    node.split_measured = true;
    if (std::string_view(certainty) != "estimated") return;
    node.least = 0;
  };
  add("For input", scale * measured.for_input, "measured",
      "Σ seconds in which tasks waited for bytes that they had requested");
  add("For a CPU", scale * measured.for_cpu, "measured",
      "Σ seconds in which threads of tasks could run and had no CPU");
  const BlockedShares blocked = blocked_shares(run);
  add("For locks", blocked.locks * input.of_processor.all, "sampled",
      "samples in code that takes a lock, by their share of all samples of these tasks");
  add("In other calls that wait", blocked.elsewhere * input.of_processor.all, "sampled",
      "samples in process() in calls that do nothing but wait, neither for input nor for a lock");
  const double at_most = is_absent(measured.for_cpu) ? most_for_cpu(run) : absent;
  add("For a CPU", scale * at_most, "estimated",
      "at most: while some thread of the host waited for a CPU (/proc/pressure)");
  add("Not separated", left, "not known", "waiting of which nothing recorded says for what");
  return branches;
}

}  // namespace crema::runtime
