// The cluster at each tick: `timeline`, and what its machines did meanwhile: `machines`.
#include <numeric>

#include "core/query/question.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::timeline {

/// The workers' series at each tick.
struct AtTicks {
  std::vector<Running> active, executing, slot, cpu, memory, limit, used, nbytes, occupancy, lag;
};

static AtTicks spread_at_ticks(const Run& run, const WorkerSelection& chosen) {
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

struct Of {
  const std::vector<double>&ticks, &workers, &cores;
  const AtTicks& at;
};

using Spreads = std::vector<Running> AtTicks::*;
template <Spreads of>
constexpr auto total = [](std::size_t i, const Of& all) { return (all.at.*of)[i].total(); };
template <Spreads of>
constexpr auto mean = [](std::size_t i, const Of& all) { return (all.at.*of)[i].mean(); };
template <Spreads of>
constexpr auto least = [](std::size_t i, const Of& all) { return (all.at.*of)[i].min; };
template <Spreads of>
constexpr auto largest = [](std::size_t i, const Of& all) { return (all.at.*of)[i].max; };

const Columns<std::size_t, Of> columns = {
    {"t", "s", [](std::size_t i, const Of& of) { return of.ticks[i]; }},
    {"workers", "count", [](std::size_t i, const Of& of) { return of.workers[i]; }},
    {"cores", "count", [](std::size_t i, const Of& of) { return of.cores[i]; },
     "Σ nthreads of the workers present"},
    {"active_tasks", "count", total<&AtTicks::active>, "Σ over workers: tasks assigned"},
    {"executing_tasks", "count", total<&AtTicks::executing>,
     "Σ over workers: tasks running, as of the last heartbeat; of the task stream where heartbeats "
     "do not say it"},
    {"slot_use_mean", "1", mean<&AtTicks::slot>, "active tasks / nthreads, mean over workers"},
    {"slot_use_min", "1", least<&AtTicks::slot>,
     "active tasks / nthreads, smallest of the workers"},
    {"slot_use_max", "1", largest<&AtTicks::slot>,
     "active tasks / nthreads, largest of the workers"},
    {"cpu_mean", "1", mean<&AtTicks::cpu>, "process CPU / nthreads, mean over workers"},
    {"cpu_min", "1", least<&AtTicks::cpu>, "process CPU / nthreads, smallest of the workers"},
    {"cpu_max", "1", largest<&AtTicks::cpu>, "process CPU / nthreads, largest of the workers"},
    {"memory_mean", "byte", mean<&AtTicks::memory>, "resident memory, mean over workers"},
    {"memory_min", "byte", least<&AtTicks::memory>, "resident memory, smallest of the workers"},
    {"memory_max", "byte", largest<&AtTicks::memory>, "resident memory, largest of the workers"},
    {"memory_limit", "byte", mean<&AtTicks::limit>, "mean over workers that have a limit"},
    {"memory_utilization_mean", "1", mean<&AtTicks::used>,
     "resident memory / limit, mean over workers"},
    {"memory_utilization_min", "1", least<&AtTicks::used>,
     "resident memory / limit, smallest of the workers"},
    {"memory_utilization_max", "1", largest<&AtTicks::used>,
     "resident memory / limit, largest of the workers"},
    {"nbytes", "byte", total<&AtTicks::nbytes>, "Σ over workers: results held in memory"},
    {"occupancy", "s", total<&AtTicks::occupancy>,
     "Σ over workers: estimated seconds of queued work"},
    {"last_seen_lag_max", "s", largest<&AtTicks::lag>,
     "tick − last heartbeat, largest of the workers"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const WorkerSelection chosen(run, selection);
  const Steps cores = core_steps(run, chosen);
  const Steps counts = worker_steps(run, chosen);

  AtTicks of_some;
  if (!chosen.all) of_some = spread_at_ticks(run, chosen);
  const AtTicks& at =
      chosen.all ? run.facts.of<Once<AtTicks>>().of([&] { return spread_at_ticks(run, chosen); })
                 : of_some;

  const TickRange ticks = selected_ticks(run, selection);
  std::vector<std::size_t> shown(ticks.end - ticks.begin);
  std::iota(shown.begin(), shown.end(), ticks.begin);
  Table table = columns.table(shown, {run.ticks, counts.values, cores.values, at});
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

extern const Question question("timeline", "the cluster at each tick", columns, answer,
                               {.narrowed_by = worker_dimensions});

}  // namespace crema::query::timeline

namespace crema::query::machines {

struct Of {
  const std::vector<double>& ticks;
  MachineUse use;
  std::shared_ptr<const FrameFacts> facts;
  std::vector<FrameId> client;  ///< its function, by tick
};

template <std::vector<double> MachineUse::*of>
constexpr auto machines = [](std::size_t tick, const Of& all) { return (all.use.*of)[tick]; };

const Columns<std::size_t, Of> columns = {
    {"t", "s", [](std::size_t tick, const Of& of) { return of.ticks[tick]; }},
    {"cpus_busy", "count", machines<&MachineUse::busy>,
     "CPUs that all processes of the workers' hosts used, measured each second"},
    {"cpus_own", "count", machines<&MachineUse::own>, "of these by the run's processes"},
    {"cpus_others", "count", machines<&MachineUse::others>,
     "of these by processes that are not the run's"},
    {"cpus_usable", "count", machines<&MachineUse::usable>,
     "CPUs that affinity and containers leave to the run"},
    {"throttled", "1", machines<&MachineUse::throttled>,
     "share of the second in which a container's quota held threads back, worst process"},
    {"pressure_cpu", "1", machines<&MachineUse::pressure_cpu>,
     "share of the second in which some thread waited for a CPU, worst host"},
    {"pressure_memory", "1", machines<&MachineUse::pressure_memory>,
     "share of the second in which some thread waited for memory, worst host"},
    {"pressure_io", "1", machines<&MachineUse::pressure_io>,
     "share of the second in which some thread waited for a disk, worst host"},
    {"swap_used", "byte", machines<&MachineUse::swap_used>, "Σ over hosts"},
    {"disk_read_rate", "byte/s", machines<&MachineUse::disk_read>, "Σ over disks of the hosts"},
    {"disk_written_rate", "byte/s", machines<&MachineUse::disk_written>,
     "Σ over disks of the hosts"},
    {"received_rate", "byte/s", machines<&MachineUse::received>,
     "Σ over hosts, by network, without what stays on a host"},
    {"sent_rate", "byte/s", machines<&MachineUse::sent>,
     "Σ over hosts, by network, without what stays on a host"},
    {"client_cpus", "count", machines<&MachineUse::client>, "CPUs that the client's process used"},
    {"client_function",
     [](std::size_t tick, const Of& of) -> std::string_view {
       const FrameId frame = of.client[tick];
       return frame == ClientFunction::none ? "" : std::string_view(of.facts->name[frame]);
     }},
    {"scheduler_cpus", "count", machines<&MachineUse::scheduler>,
     "CPUs that the scheduler's process used"},
    {"loop_lag", "s", machines<&MachineUse::loop_lag>,
     "how late the scheduler's event loop was, at most, in that second"},
};

static Table answer(const Run& run, const Selection& selection, const Options&) {
  const WorkerSelection chosen(run, selection);
  const TickRange ticks =
      run.recording.machine.size() == 0 ? TickRange{} : selected_ticks(run, selection);
  std::vector<std::size_t> shown(ticks.end - ticks.begin);
  std::iota(shown.begin(), shown.end(), ticks.begin);
  Table table = columns.table(
      shown, {run.ticks, machine_use(run, chosen), facts_of(run), client_at_ticks(run)});
  if (run.recording.machine.size() == 0) say(table, notes::no_machines);
  if (const std::string note = worker_series_note(selection); !note.empty())
    table.note("selection", note);
  table.note("window_end", run.window().end);
  return table;
}

extern const Question question(
    "machines", "CPUs in use by the run and by others, pressure, disks and network, each second",
    columns, answer, {.narrowed_by = worker_dimensions});

}  // namespace crema::query::machines
