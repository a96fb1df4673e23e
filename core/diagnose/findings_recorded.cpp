// Rules that stand on what `crema.record` measured of processes: the scheduler's event loop, the
// client, programs of others, the unpacking of tasks, and memory from chunk to chunk.
#include <algorithm>
#include <map>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/model/worker_selection.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/stats/fit.hpp"

namespace crema::diagnose::rules {

namespace {

namespace of = recorded_columns;

// What another program must have of the CPUs to be why tasks wait for a quarter of their time.
constexpr double much_of_it = 0.25;
// Memory that has grown by a quarter is noticed; and what fills a cache grows more slowly in the
// end.
constexpr double grown = 1.25;
constexpr double goes_on = 0.5;

/// How late the scheduler's event loop was.
struct Lateness {
  double seconds = 0, longest = 0;

  explicit Lateness(const Run& run) {
    const auto& rows = run.recording.machine;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      seconds += value_or(rows.at(of::Machine::lag, row), 0);
      longest = std::max(longest, value_or(rows.at(of::Machine::longest_lag, row), 0));
    }
  }
};

/// Of the ticks of the run at which it is known.
double usual(const std::vector<double>& values) { return quantile(sorted_present(values), 0.5); }

}  // namespace

bool stood_still(const RunFacts& f) { return Lateness(f.run).seconds >= notable * f.elapsed; }

std::vector<Finding> blocked_scheduler(const RunFacts& f) {
  if (!stood_still(f)) return {};
  const Lateness late(f.run);
  // Tasks that workers had already went on.
  double idle = 0;
  for (const IdleCause why :
       {IdleCause::between_tasks, IdleCause::nothing_ready, IdleCause::held_back,
        IdleCause::fetching, IdleCause::tail, IdleCause::unassigned, IdleCause::unknown})
    idle += f.idle.seconds[static_cast<std::size_t>(why)];
  const double seconds = std::min(late.seconds * f.cores, idle);
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"late", late.seconds, Unit::seconds},
                                    {"longest", late.longest, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

std::vector<Finding> client_computes(const RunFacts& f) {
  constexpr auto after = static_cast<std::size_t>(ClientTime::after_tasks);
  const ClientHour& client = client_hour(f.run);
  if (client.times[after].empty()) return {};
  const Selection::TimeRange time = client.times[after].front();
  double seconds = 0;
  ClientFunction most;
  for (const ClientFunction& function : client.functions[after]) {
    seconds += function.cpu;
    if (function.cpu > most.cpu) most = function;
  }
  const double idle = std::min(seconds, time.end - time.begin) * f.cores;
  if (!(f.share(idle) >= least_share) || !(most.cpu > 0)) return {};
  return {{.severity = at_most_medium(f.share(idle)),
           .evidence = Measurements{{"seconds", seconds, Unit::seconds},
                                    {"function", profile::facts_of(f.run)->name[most.frame]}},
           .selection = {.time = time},
           .core_seconds = idle,
           .gain_core_seconds = idle}};
}

std::vector<Finding> foreign_load(const RunFacts& f, double contended, double off_cpu) {
  const MachineUse use = machine_use(f.run, WorkerSelection(f.run, {}));
  const double busy = usual(use.busy), others = usual(use.others);
  const double usable = usual(use.usable);
  if (!(busy >= all_busy * usable) || !(others >= much_of_it * usable) || !(f.cores <= usable))
    return {};
  return {{.cause = Cause::foreign_load,
           .severity = Severity::medium,
           .evidence = Measurements{{"others", others},
                                    {"usable", usable},
                                    {"threads", f.cores},
                                    {"share_off", off_cpu, Unit::share}},
           .core_seconds = contended,
           .rank = contended}};
}

std::vector<Finding> large_processor(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  double seconds = 0, count = 0;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    if (f.run.text(tasks.text(of::Task::kind, row)) != "chunk") continue;
    seconds += value_or(tasks.at(of::Task::unpack_wall, row), 0);
    count += 1;
  }
  if (!(f.share(seconds) >= least_share)) return {};
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"each", seconds / count, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

/// Every worker has a quarter more memory after its last chunk than after its first, beyond results
/// that it may hold, and grew in the second half as in the first.
std::vector<Finding> memory_grows(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  std::map<StringId, std::vector<std::size_t>> workers;
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    if (f.run.text(tasks.text(of::Task::kind, row)) == "chunk" &&
        !is_absent(tasks.at(of::Task::rss_after, row)))
      workers[tasks.text(of::Task::address, row)].push_back(row);
  }
  double first = 0, last = 0, chunks = 0;
  std::vector<double> slopes;
  for (auto& [worker, rows] : workers) {
    if (rows.size() < outlier_least) continue;
    sort_stably(rows, [&](std::size_t a, std::size_t b) {
      return tasks.at(of::Task::begin, a) < tasks.at(of::Task::begin, b);
    });
    std::vector<double> place, memory;
    double held = 0;
    for (const std::size_t row : rows) {
      held += value_or(tasks.at(of::Task::out_bytes, row), 0);
      place.push_back(static_cast<double>(place.size()));
      memory.push_back(tasks.at(of::Task::rss_after, row) - held);
    }
    const std::size_t half = memory.size() / 2;
    const double early = memory[half] - memory.front(), late = memory.back() - memory[half];
    if (!(memory.back() >= grown * memory.front()) || !(late >= goes_on * early)) return {};
    slopes.push_back(stats::robust_line(place, memory).slope);
    if (memory.back() > last) last = memory.back(), first = memory.front();
    chunks = std::max(chunks, static_cast<double>(memory.size()));
  }
  if (slopes.empty()) return {};
  return {{.severity = Severity::medium,
           .evidence = Measurements{{"each", median_of(std::move(slopes)), Unit::bytes},
                                    {"first", first, Unit::bytes},
                                    {"last", last, Unit::bytes},
                                    {"chunks", chunks, Unit::chunks}}}};
}

}  // namespace crema::diagnose::rules
