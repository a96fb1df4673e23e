#include "core/facts/script.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/facts/budget.hpp"
#include "core/facts/chunk_columns.hpp"
#include "core/facts/cores.hpp"
#include "core/facts/lost_work.hpp"
#include "core/facts/processor.hpp"

namespace crema::facts {

namespace {

// More repetitions than this are no recording of a cluster, and would be replayed one by one.
constexpr double most_repetitions = 10;  // per chunk

std::vector<Slot> recorded_slots(const Run& run, double begin) {
  std::vector<Slot> slots;
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    const TickRange range = ticks_of(run.workers, worker);
    if (range.end == 0) continue;
    Slot slot;
    // There from the first tick on means there before.
    slot.from = range.begin == 0 ? begin : std::max(begin, run.ticks[range.begin]);
    if (range.end < run.ticks.size()) slot.until = run.ticks[range.end];
    double threads = absent;  // the last that was seen
    for (std::size_t tick = range.end; tick-- > range.begin && is_absent(threads);)
      threads = nthreads_at(run, worker, tick);
    if (!(static_cast<double>(slots.size()) + value_or(threads, 0) <= most_cores)) return {};
    for (double i = 0; i < value_or(threads, 0); i += 1) slots.push_back(slot);
  }
  if (!slots.empty()) return slots;
  const CoreTime time = core_time(run, WorkerSelection(run, {}), 0, run.window().end);
  if (!(value_or(time.cores, 0) <= most_cores)) return {};
  for (double i = 0; i < std::round(value_or(time.cores, 0)); i += 1)
    slots.push_back({begin, Slot{}.until});
  return slots;
}

Script made_script(const Run& run, const Options& options) {
  Script script;
  const Chunks& c = run.chunks;
  double first = absent;
  double last = absent;
  script.order = chunks_by_start(run);
  for (const std::uint32_t i : script.order) {
    if (!(first <= c.t_start[i])) first = c.t_start[i];
    if (!(last >= c.t_end[i])) last = c.t_end[i];
  }
  script.inside.assign(c.size(), 0);
  for (const std::uint32_t i : script.order) script.inside[i] = c.t_end[i] - c.t_start[i];

  const StringId processor = find_processor(run, options).prefix;
  const double seconds = execute_seconds(run, processor);
  const LostWork lost = find_lost_work(run, processor, seconds);
  const double executions =
      is_absent(lost.executions) ? static_cast<double>(script.order.size()) : lost.executions;
  const Budget budget = compute_budget(run, {}, options);
  script.outside = value_or(ratio(budget.of(BudgetPart::Kind::outside_process), executions), 0);
  script.repeated = std::min(value_or(lost.repeated, 0),
                             most_repetitions * static_cast<double>(script.order.size()));
  // What ran before the first chunk is part of the wait for it; the rest is shared out over the
  // executions.
  double others = 0;
  for (const BudgetPart& part : budget.parts) {
    if (part.kind == BudgetPart::Kind::task) others += value_or(part.core_seconds, 0);
  }
  double before = 0;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    if (run.tasks.prefix[i] != processor && run.tasks.t1[i] < first)
      before += run.tasks.t1[i] - run.tasks.t0[i];
  }
  script.others = std::max(0.0, others - before) / std::max(1.0, executions);
  // Chunks begin when their file is open: most of what is outside of them comes before.
  script.begin = std::max(0.0, first - script.outside);
  script.elapsed = run.window().end;
  script.after = std::max(0.0, script.elapsed - last);
  script.slots = recorded_slots(run, script.begin);
  return script;
}

}  // namespace

const Script& script_of(const Run& run, const Options& options) {
  return run.memo.index<Script>("script|" + options.text(processor_option),
                                [&] { return made_script(run, options); });
}

double predicted(const Script& script, const std::vector<double>& tasks,
                 const std::vector<Slot>& slots) {
  return replay(tasks, slots) + script.after;
}

double on_recorded_cluster(const Script& script, std::vector<double> tasks) {
  const double mean =
      std::accumulate(tasks.begin(), tasks.end(), 0.0) / static_cast<double>(tasks.size());
  const double repeated = script.repeated * static_cast<double>(tasks.size()) /
                          static_cast<double>(script.order.size());
  for (double i = 0; i < std::round(repeated); i += 1) tasks.push_back(mean);
  return predicted(script, tasks, script.slots);
}

std::vector<double> tasks_of(const Script& script, const std::vector<double>& inside,
                             double outside) {
  std::vector<double> tasks;
  tasks.reserve(script.order.size());
  for (const std::uint32_t i : script.order) tasks.push_back(inside[i] + outside + script.others);
  return tasks;
}

}  // namespace crema::facts
