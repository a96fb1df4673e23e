// What is not the cause of a finding: rivals whose whole measured amount could not have cost it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/diagnose/rules.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using recorded_columns::Task;

namespace {

// Were all of it the finding's, it would still be a tenth of what that costs.
constexpr double small_beside = 0.1;
// Dask begins to write results to disk at this share of the limit:
// distributed.worker.memory.target.
constexpr double dask_writes_to_disk = 0.6;

/// [core-s] or [byte] of tasks that a finding may be about, whatever part of them it is.
class TasksOf {
 public:
  TasksOf(const Run& run, const Finding& finding) : run_(run) {
    const Selection& selection = finding.selection;
    const ChunkSelection chosen(run, selection);
    std::size_t wanted = 0;
    std::vector<bool> is_about(run.chunks.size());
    for (std::size_t chunk = 0; chunk < is_about.size(); ++chunk) {
      const StringId worker = run.chunks.worker.empty() ? no_string : run.chunks.worker[chunk];
      is_about[chunk] = chosen[chunk] && (selection.workers.empty() || worker == no_string ||
                                          leaves(selection.workers, run.text(worker)));
      wanted += is_about[chunk] ? 1 : 0;
    }
    std::set<std::uint32_t> told;
    for (const std::size_t row : rows_of_chunks(run)) {
      const std::uint32_t chunk = run.recording.chunk[row];
      if (!(chunk < is_about.size() && is_about[chunk])) continue;
      rows_.push_back(row);
      told.insert(chunk);
    }
    // What a chunk without a row took is unknown.
    if (told.size() < wanted) rows_.clear();
    const bool is_of_files = finding.cause == Cause::slow_opening ||
                             finding.cause == Cause::small_files ||
                             finding.cause == Cause::pre_processing;
    if (!is_of_files || rows_.empty()) return;
    const std::vector<std::size_t>& ahead = rows_of_files(run);
    rows_.insert(rows_.end(), ahead.begin(), ahead.end());
  }

  /// Absent where a row does not tell.
  double all(Task column) const {
    double sum = rows_.empty() ? absent : 0;
    for (const std::size_t row : rows_) sum += run_.recording.tasks.at(column, row);
    return sum;
  }
  /// Tasks without that part took nothing for it.
  double part(Task column) const { return sum_of_rows(run_, rows_, column); }

 private:
  const Run& run_;
  std::vector<std::size_t> rows_;
};

/// The largest share of its limit that a worker had at any tick; absent where one does not tell, or
/// more was needed than ticks show.
double most_of_memory(const Run& run) {
  if (activity_sum(run, "disk-write", "bytes") > 0 || !gone_workers(run, {}).empty()) return absent;
  double most = absent;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const double own = rules::MemoryPeak(run, w).share;
    if (is_absent(own)) return absent;
    most = std::fmax(most, own);
  }
  return most;
}

/// [s] for which the client's thread was on a CPU; absent where that was not recorded.
double client_cpu(const Run& run) {
  const auto& rows = run.recording.client;
  double seconds = rows.size() == 0 ? absent : 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    seconds += rows.at(recorded_columns::Client::cpu, row);
  return seconds;
}

/// The most cores that were there at once.
double most_cores(const Run& run) {
  const CoreSupply supply = core_supply(run, WorkerSelection(run, {}));
  return supply.steps.empty() ? supply.threads : moments(supply.steps.values).max;
}

}  // namespace

RivalAmounts::RivalAmounts(const Run& of) : run(of), memory(most_of_memory(of)) {
  const double cores = most_cores(run);
  const rules::Lateness late(run, std::numeric_limits<double>::infinity());
  client = cores * client_cpu(run);
  scheduler = late.is_recorded ? cores * late.seconds : absent;
  raised = rules::seconds_raised(run);
}

std::vector<LookedAt> RivalAmounts::looked_at_beside(const Finding& finding) const {
  std::vector<LookedAt> found;
  if (!(finding.core_seconds > 0)) return found;
  const auto look = [&](Suspect suspect, double core_seconds) {
    const bool is_known = !is_absent(core_seconds);
    if (is_known && !(core_seconds <= small_beside * finding.core_seconds)) return;
    found.push_back({.state = is_known ? LookedAt::State::ruled_out : LookedAt::State::not_recorded,
                     .suspect = suspect,
                     .core_seconds = is_known ? std::max(0.0, core_seconds) : absent});
  };
  const CostIn part = part_of(finding);
  switch (part) {
    case CostIn::computing:
    case CostIn::waiting:
    case CostIn::outside_process: {
      const TasksOf tasks(run, finding);
      // Dask's seconds are of the whole run: at least as much.
      const double off_cpu = value_or(tasks.all(Task::wall) - tasks.all(Task::cpu),
                                      activity_sum(run, "thread-noncpu", "seconds"));
      look(Suspect::off_cpu, off_cpu);
      if (found.empty()) {
        look(Suspect::for_cpu, tasks.all(Task::run_delay));
        // What is mapped into memory is waited for without a request, in major faults.
        if (!(tasks.all(Task::major_faults) > 0))
          look(Suspect::for_input, tasks.all(Task::request_wait) + tasks.part(Task::open_wall) -
                                       tasks.part(Task::open_cpu));
      }
      look(Suspect::collecting, tasks.all(Task::collecting));
      look(Suspect::system, tasks.all(Task::system));
      look(Suspect::opening, tasks.part(Task::open_wall));
      look(Suspect::unpacking, tasks.part(Task::unpack_wall));
      break;
    }
    case CostIn::idle:
      look(Suspect::client, client);
      if (!is_absent(scheduler)) look(Suspect::scheduler, scheduler);
      look(Suspect::failures, raised);
      break;
    case CostIn::lost_work: look(Suspect::failures, raised); break;
    default: break;
  }
  if (!found.empty() && part != CostIn::lost_work && memory < dask_writes_to_disk)
    found.push_back(
        {.state = LookedAt::State::ruled_out, .suspect = Suspect::memory, .share = memory});
  for (const FindingCause rival : finding.open)
    found.push_back({.state = LookedAt::State::open, .rival = rival});
  std::stable_sort(found.begin(), found.end(),
                   [](const LookedAt& a, const LookedAt& b) { return a.state < b.state; });
  return found;
}

}  // namespace crema::diagnose
