// What is not the cause of a finding: rivals whose whole measured amount could not have cost it.
#include <algorithm>
#include <cmath>

#include "core/diagnose/rules.hpp"
#include "core/predict/memory.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using recorded_columns::Task;

namespace {

// Were all of it the finding's, it would still be a tenth of what that costs.
constexpr double small_beside = 0.1;
// A page that is not in memory: a disk takes less to find it.
constexpr double page_from_disk = 0.01;  ///< [s]

/// The attempts at chunks that a finding may be about, whatever part of them it is.
class Attempts {
 public:
  Attempts(const Run& run, const Selection& selection) : run_(run) {
    const ChunkSelection chosen(run, selection);
    const auto is_about = [&](std::size_t chunk) {
      const StringId worker = run.chunks.worker.empty() ? no_string : run.chunks.worker[chunk];
      return chosen[chunk] && (selection.workers.empty() || worker == no_string ||
                               leaves(selection.workers, run.text(worker)));
    };
    for (const std::size_t row : rows_of_chunks(run)) {
      const std::uint32_t chunk = run.recording.chunk[row];
      if (chunk >= run.chunks.size() || is_about(chunk)) rows_.push_back(row);
    }
  }

  /// Absent where a row does not tell.
  double all(Task column) const {
    double sum = rows_.empty() ? absent : 0;
    for (const std::size_t row : rows_) sum += run_.recording.tasks.at(column, row);
    return sum;
  }
  /// [core-s] Attempts without that part took nothing for it.
  double part(Task column) const { return sum_of_rows(run_, rows_, column); }

 private:
  const Run& run_;
  std::vector<std::size_t> rows_;
};

/// Of all workers at all ticks; absent where memory or its limit is not recorded.
double most_of_memory(const Run& run) {
  double most = absent;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickSeries& memory = run.workers.of(Series::memory, w);
    for (std::size_t i = 0; i < memory.values.size(); ++i) {
      const double limit = run.workers.of(Series::memory_limit, w).at(memory.first_tick + i);
      if (limit > 0) most = std::fmax(most, memory.values[i] / limit);
    }
  }
  return most;
}

/// [s] for which the client's thread was on a CPU; absent where nobody looked.
double client_cpu(const Run& run) {
  const auto& rows = run.recording.client;
  double seconds = rows.size() == 0 ? absent : 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    seconds += value_or(rows.at(recorded_columns::Client::cpu, row), 0);
  return seconds;
}

/// [s] by which the scheduler's event loop was late in all; absent where nobody looked.
double lateness(const Run& run) {
  const auto& rows = run.recording.machine;
  double seconds = absent;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double late = rows.at(recorded_columns::Machine::lag, row);
    if (!is_absent(late)) seconds = value_or(seconds, 0) + late;
  }
  return seconds;
}

}  // namespace

double rules::seconds_raised(const Run& run) {
  if (run.recording.tasks.size() + run.tasks.size() == 0) return absent;
  if (!any_failed(run)) return 0;
  double seconds = 0;
  for (const Failed& way : find_failures(run, {})) {
    if (way.attempts > way.lost) seconds += way.core_seconds;
  }
  return seconds;
}

std::vector<LookedAt> looked_at_beside(const Run& run, const Finding& finding) {
  std::vector<LookedAt> found;
  if (!(finding.core_seconds > 0)) return found;
  const auto look = [&](Suspect suspect, double core_seconds) {
    const bool is_known = !is_absent(core_seconds);
    if (is_known && !(core_seconds <= small_beside * finding.core_seconds)) return;
    found.push_back({.state = is_known ? LookedAt::State::ruled_out : LookedAt::State::not_recorded,
                     .suspect = suspect,
                     .core_seconds = core_seconds});
  };
  const CostIn part = part_of(finding);
  switch (part) {
    case CostIn::computing:
    case CostIn::waiting:
    case CostIn::outside_process: {
      const Attempts attempts(run, finding.selection);
      // Dask's seconds are of the whole run: at least as much.
      const double off_cpu = value_or(attempts.all(Task::wall) - attempts.all(Task::cpu),
                                      activity_sum(run, "thread-noncpu", "seconds"));
      const std::size_t before = found.size();
      look(Suspect::off_cpu, off_cpu);
      if (found.size() == before) {
        look(Suspect::for_cpu, attempts.all(Task::run_delay));
        look(Suspect::for_input,
             attempts.all(Task::request_wait) + page_from_disk * attempts.all(Task::major_faults));
      }
      look(Suspect::collecting, attempts.all(Task::collecting));
      look(Suspect::system, attempts.all(Task::system));
      look(Suspect::opening, attempts.part(Task::open_wall));
      look(Suspect::unpacking, attempts.part(Task::unpack_wall));
      break;
    }
    case CostIn::idle: {
      const Run::Window window = run.window();
      const double cores = core_time(run, WorkerSelection(run, {}), window.begin, window.end).cores;
      look(Suspect::client, cores * client_cpu(run));
      look(Suspect::scheduler, cores * lateness(run));
      look(Suspect::failures, rules::seconds_raised(run));
      break;
    }
    case CostIn::lost_work: look(Suspect::failures, rules::seconds_raised(run)); break;
    default: break;
  }
  // A worker that ended may have needed more than anybody looked at.
  const double memory = part == CostIn::lost_work ? absent : most_of_memory(run);
  if (!found.empty() && memory < predict::dask_spills)
    found.push_back(
        {.state = LookedAt::State::ruled_out, .suspect = Suspect::memory, .share = memory});
  for (const FindingCause rival : finding.open)
    found.push_back({.state = LookedAt::State::open, .rival = rival});
  std::stable_sort(found.begin(), found.end(),
                   [](const LookedAt& a, const LookedAt& b) { return a.state < b.state; });
  return found;
}

}  // namespace crema::diagnose
