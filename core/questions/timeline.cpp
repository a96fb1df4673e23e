#include <algorithm>

#include "core/facts/cores.hpp"
#include "core/facts/missing.hpp"
#include "core/questions/question.hpp"

namespace crema::questions::timeline {

namespace {

/// Mean and extremes over the workers at one tick, gathered as they come.
struct Spread {
  double sum = 0;
  double min = absent;
  double max = absent;
  std::size_t count = 0;
  void add(double v) {
    if (is_absent(v)) return;
    sum += v;
    // also true while they are absent
    if (!(min <= v)) min = v;
    if (!(max >= v)) max = v;
    ++count;
  }
  double mean() const { return count == 0 ? absent : sum / static_cast<double>(count); }
  double total() const { return count == 0 ? absent : sum; }
};

/// The workers' series at each tick.
struct AtTicks {
  std::vector<Spread> active, executing, slot, cpu, memory, limit, used, nbytes, occupancy, lag;
};

AtTicks spread_at_ticks(const Run& run, const WorkerSelection& chosen) {
  const Workers& w = run.workers;
  AtTicks at;
  for (auto* column :
       {&at.active, &at.executing, &at.slot, &at.cpu, &at.memory, &at.limit, &at.used, &at.nbytes, &at.occupancy, &at.lag})
    column->resize(run.ticks.size());
  for (std::size_t worker = 0; worker < w.size(); ++worker) {
    if (!chosen[worker]) continue;
    const auto each = [&](Series which, auto use) {
      const TickSeries& series = w.of(which, worker);
      for (std::size_t i = 0; i < series.values.size(); ++i) {
        if (!is_absent(series.values[i])) use(series.first_tick + i, series.values[i]);
      }
    };
    each(Series::active_tasks, [&](std::size_t t, double v) {
      at.active[t].add(v);
      at.slot[t].add(ratio(v, nthreads_at(run, worker, t)));
    });
    each(Series::executing, [&](std::size_t t, double v) { at.executing[t].add(v); });
    each(Series::cpu, [&](std::size_t t, double v) { at.cpu[t].add(ratio(v, nthreads_at(run, worker, t))); });
    each(Series::memory, [&](std::size_t t, double v) {
      at.memory[t].add(v);
      const double of = w.of(Series::memory_limit, worker).at(t);
      if (of > 0) at.used[t].add(v / of);
    });
    each(Series::memory_limit, [&](std::size_t t, double v) {
      if (v > 0) at.limit[t].add(v);
    });
    each(Series::nbytes, [&](std::size_t t, double v) { at.nbytes[t].add(v); });
    each(Series::occupancy, [&](std::size_t t, double v) { at.occupancy[t].add(v); });
    each(Series::last_seen, [&](std::size_t t, double v) {
      if (!is_absent(run.clock.zone_offset) && v > 0) at.lag[t].add(run.clock.zero_epoch + run.ticks[t] - v);
    });
  }
  return at;
}

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const WorkerSelection chosen(run, selection);
  const std::size_t n = run.ticks.size();
  const Steps cores = core_steps(run, chosen);
  const Steps counts = worker_steps(run, chosen);

  AtTicks of_some;
  if (!chosen.all) of_some = spread_at_ticks(run, chosen);
  const AtTicks& at = chosen.all ? run.memo.index<AtTicks>("timeline", [&] { return spread_at_ticks(run, chosen); }) : of_some;

  Table table;
  const auto t = table.add_number("t", "s");
  const auto workers = table.add_number("workers", "count");
  const auto core_count = table.add_number("cores", "count", "Σ nthreads of the workers present");
  const auto active_tasks = table.add_number("active_tasks", "count", "Σ over workers: tasks assigned");
  const auto executing_tasks =
      table.add_number("executing_tasks", "count", "Σ over workers: tasks running, as of the last heartbeat");
  const auto add_spread = [&](const std::string& name, const std::string& unit, const std::string& formula) {
    const auto first = table.add_number(name + "_mean", unit, formula + ", mean over workers");
    table.add_number(name + "_min", unit, formula + ", smallest of the workers");
    table.add_number(name + "_max", unit, formula + ", largest of the workers");
    return first;
  };
  const auto slots = add_spread("slot_use", "1", "active tasks / nthreads");
  const auto cpus = add_spread("cpu", "1", "process CPU / nthreads");
  const auto memories = add_spread("memory", "byte", "resident memory");
  const auto limits = table.add_number("memory_limit", "byte", "mean over workers that have a limit");
  const auto uses = add_spread("memory_utilization", "1", "resident memory / limit");
  const auto stored = table.add_number("nbytes", "byte", "Σ over workers: results held in memory");
  const auto occupancies = table.add_number("occupancy", "s", "Σ over workers: estimated seconds of queued work");
  const auto lags = table.add_number("last_seen_lag_max", "s", "tick − last heartbeat, largest of the workers");

  const auto put_spread = [&](std::size_t column, const Spread& s) {
    table.put(column, s.mean());
    table.put(column + 1, s.min);
    table.put(column + 2, s.max);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (selection.time && (run.ticks[i] < selection.time->begin || run.ticks[i] > selection.time->end)) continue;
    table.put(t, run.ticks[i]);
    table.put(workers, counts.values[i]);
    table.put(core_count, cores.values[i]);
    table.put(active_tasks, at.active[i].total());
    table.put(executing_tasks, at.executing[i].total());
    put_spread(slots, at.slot[i]);
    put_spread(cpus, at.cpu[i]);
    put_spread(memories, at.memory[i]);
    table.put(limits, at.limit[i].mean());
    put_spread(uses, at.used[i]);
    table.put(stored, at.nbytes[i].total());
    table.put(occupancies, at.occupancy[i].total());
    table.put(lags, at.lag[i].max);
  }
  if (!run.tracked) table.note("missing", missing::tracking);
  if (!selection.datasets.empty() || !selection.files.empty() || !selection.hosts.empty() || !selection.prefixes.empty() ||
      !selection.ranges.empty()) {
    table.note("selection", "worker series are not split by dataset, file, host or task: only time and workers narrow them");
  }
  table.note("window_end", run.window().end);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "timeline",
    .about = "the cluster at each tick",
    .narrowed_by = worker_dimensions,
    .function = answer,
};

}  // namespace crema::questions::timeline
