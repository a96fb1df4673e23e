// What the machines of the run did each second: `machines`.
#include <numeric>

#include "core/query/question.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::query::machines {

struct Of {
  const std::vector<double>& ticks;
  MachineUse use;
};

template <std::vector<double> MachineUse::*of>
constexpr auto machines = [](std::size_t tick, const Of& all) { return (all.use.*of)[tick]; };

const Columns<std::size_t, Of> columns = {
    {"t", "s", [](std::size_t tick, const Of& of) { return of.ticks[tick]; }},
    {"cpus_busy", "count", machines<&MachineUse::busy>,
     "CPUs that all processes of the hosts used, measured each second"},
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
    {"scheduler_cpus", "count", machines<&MachineUse::scheduler>,
     "CPUs that the scheduler's process used"},
    {"loop_lag", "s", machines<&MachineUse::loop_lag>,
     "how late the scheduler's event loop was, at most, in that second"},
};

static Table answer(std::span<const Run* const> runs, const Selection& selection, const Options&) {
  const Run& run = *runs[0];
  const WorkerSelection chosen(run, selection);
  const TickRange ticks =
      run.recording.machine.size() == 0 ? TickRange{} : selected_ticks(run, selection);
  std::vector<std::size_t> shown(ticks.end - ticks.begin);
  std::iota(shown.begin(), shown.end(), ticks.begin);
  Table table = columns.table(shown, {run.ticks, machine_use(run, chosen)});
  if (run.recording.machine.size() == 0) say(table, notes::no_machines);
  if (const std::string note = worker_series_note(selection); !note.empty())
    table.note("selection", note);
  table.note("window_end", run.window().end);
  return table;
}

extern const Question question{
    .name = "machines",
    .about = "CPUs in use by the run and by others, pressure, disks and network, each second",
    .narrowed_by = worker_dimensions,
    .columns = &columns,
    .function = answer,
};

}  // namespace crema::query::machines
