#include <numeric>

#include "core/query/parts/worker_notes.hpp"
#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"
#include "core/table/rows.hpp"

namespace crema::query::timeline {

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
  for (auto* column : {&at.active, &at.executing, &at.slot, &at.cpu, &at.memory, &at.limit,
                       &at.used, &at.nbytes, &at.occupancy, &at.lag})
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
    each(Series::cpu,
         [&](std::size_t t, double v) { at.cpu[t].add(ratio(v, nthreads_at(run, worker, t))); });
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
      if (!is_absent(run.clock.zone_offset) && v > 0)
        at.lag[t].add(run.clock.zero_epoch + run.ticks[t] - v);
    });
  }
  return at;
}

struct Kept {
  Once<AtTicks> of_all;
};

Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const WorkerSelection chosen(run, selection);
  const Steps cores = core_steps(run, chosen);
  const Steps counts = worker_steps(run, chosen);

  AtTicks of_some;
  if (!chosen.all) of_some = spread_at_ticks(run, chosen);
  const AtTicks& at =
      chosen.all ? run.facts.of<Kept>().of_all.of([&] { return spread_at_ticks(run, chosen); })
                 : of_some;

  const TickRange ticks = selected_ticks(run, selection);
  std::vector<std::size_t> shown(ticks.end - ticks.begin);
  std::iota(shown.begin(), shown.end(), ticks.begin);
  Table table;
  Rows rows(table, shown);
  const auto each = [](const std::vector<double>& values) {
    return [&](std::size_t i) { return values[i]; };
  };
  const auto total = [](const std::vector<Spread>& spread) {
    return [&](std::size_t i) { return spread[i].total(); };
  };
  const auto mean = [](const std::vector<Spread>& spread) {
    return [&](std::size_t i) { return spread[i].mean(); };
  };
  const auto largest = [](const std::vector<Spread>& spread) {
    return [&](std::size_t i) { return spread[i].max; };
  };
  const auto add_spread = [&](const std::string& name, const char* unit,
                              const std::vector<Spread>& spread, const std::string& formula) {
    rows.number((name + "_mean").c_str(), unit, mean(spread),
                (formula + ", mean over workers").c_str());
    rows.number((name + "_min").c_str(), unit, [&](std::size_t i) { return spread[i].min; },
                (formula + ", smallest of the workers").c_str());
    rows.number((name + "_max").c_str(), unit, largest(spread),
                (formula + ", largest of the workers").c_str());
  };
  rows.number("t", "s", each(run.ticks));
  rows.number("workers", "count", each(counts.values));
  rows.number("cores", "count", each(cores.values), "Σ nthreads of the workers present");
  rows.number("active_tasks", "count", total(at.active), "Σ over workers: tasks assigned");
  rows.number("executing_tasks", "count", total(at.executing),
              "Σ over workers: tasks running, as of the last heartbeat");
  add_spread("slot_use", "1", at.slot, "active tasks / nthreads");
  add_spread("cpu", "1", at.cpu, "process CPU / nthreads");
  add_spread("memory", "byte", at.memory, "resident memory");
  rows.number("memory_limit", "byte", mean(at.limit), "mean over workers that have a limit");
  add_spread("memory_utilization", "1", at.used, "resident memory / limit");
  rows.number("nbytes", "byte", total(at.nbytes), "Σ over workers: results held in memory");
  rows.number("occupancy", "s", total(at.occupancy),
              "Σ over workers: estimated seconds of queued work");
  rows.number("last_seen_lag_max", "s", largest(at.lag),
              "tick − last heartbeat, largest of the workers");
  note_worker_series(table, run, selection);
  table.note("interval", sampling_interval(run));
  note_time_mean(table, "mean_cores", run, selection, 0, cores.values);
  // While none of the workers is there, none of their tasks runs; their CPU has no share then.
  std::vector<double> executing, cpu;
  for (std::size_t t = 0; t < run.ticks.size(); ++t) {
    executing.push_back(counts.values[t] == 0 ? 0 : at.executing[t].total());
    cpu.push_back(at.cpu[t].mean());
  }
  note_time_mean(table, "mean_executing_tasks", run, selection, 0, executing);
  note_time_mean(table, "mean_cpu", run, selection, 0, cpu);
  return table;
}

}  // namespace

extern constinit const Question question{
    .name = "timeline",
    .about = "the cluster at each tick",
    .narrowed_by = worker_dimensions,
    .function = answer,
};

}  // namespace crema::query::timeline
