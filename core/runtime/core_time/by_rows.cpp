// What `crema.record`'s rows measured of the processor's tasks: waiting, and CPU time in process().
#include <algorithm>

#include "core/runtime/chunks.hpp"
#include "core/runtime/core_time/branches.hpp"

namespace crema::runtime {

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
