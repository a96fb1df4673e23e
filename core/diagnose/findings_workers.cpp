// Rules about workers: memory, workers lost, late, unresponsive or unbalanced, and their clocks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/order.hpp"
#include "core/diagnose/rules.hpp"
#include "core/predict/memory.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose::rules {

namespace {

std::string address(const Run& run, std::size_t worker) {
  return std::string(run.text(run.workers.address[worker]));
}

constexpr std::string_view paused = "paused";

/// The worker that most single warnings are about, as far as they are recorded, and how bad it was.
void put_worst_worker(const RunFacts& f, std::string_view kind, WorkerWarnings& evidence,
                      Finding& finding) {
  const Run& run = f.run;
  std::vector<double> sum(run.workers.size(), 0), most(run.workers.size(), 0);
  const auto count = [&](std::size_t worker, double amount, double value) {
    if (worker == sum.size()) return;
    sum[worker] += value_or(amount, 0);
    most[worker] = std::max(most[worker], value_or(value, 0));
  };
  const bool are_pauses = kind == paused;
  if (are_pauses) {
    for (const Pause& pause : pauses_of(run))
      count(pause.worker, pause.end - pause.begin, pause.share);
  } else {
    for (const WorkerEvent& event : run.worker_events) {
      if (event.kind == kind) count(run.workers.find(event.worker), event.value, event.value);
    }
  }
  const auto top = std::max_element(sum.begin(), sum.end());
  if (top == sum.end() || !(*top > 0)) return;
  const auto worst = static_cast<std::size_t>(top - sum.begin());
  evidence.worker = worker_name(run, worst);
  evidence.total = *top;
  evidence.most = most[worst];
  finding.selection.workers = {address(run, worst)};
  if (!are_pauses) return;
  evidence.idle = f.idle.of(IdleCause::paused);
  if (evidence.idle > 0) finding.core_seconds = finding.rank = evidence.idle;
}

/// What workers said themselves, between heartbeats and where ticks saw nothing.
std::vector<Finding> warned(const RunFacts& f, std::string_view kind, Severity severity) {
  std::vector<Finding> found;
  for (const Warning& warning : f.run.warnings) {
    if (warning.kind != kind || !(warning.times > 0)) continue;
    WorkerWarnings evidence{
        .times = warning.times, .workers = warning.workers, .first = warning.first};
    Finding finding{.severity = severity};
    put_worst_worker(f, kind, evidence, finding);
    if (kind == "unresponsive") evidence.in = function_in_loop(f.run, CallTree::Kind::server);
    finding.evidence = std::move(evidence);
    found.push_back(std::move(finding));
  }
  return found;
}

constexpr std::size_t most_named = 5;

/// Workers that were seen and left while there was work to begin, in the run's order: a pool ends
/// when all is done. A worker that only a profile or scheduler info names was not seen.
WorkersThatLeft workers_that_left(const Run& run, Selection& selection) {
  WorkersThatLeft left;
  if (run.ticks_of_busy_workers) return left;
  double last = absent;  // when the last chunk or task began [s]
  for (const double moment : run.tasks.t0) last = std::fmax(last, moment);
  for (const double moment : run.chunks.t_start)
    last = run.chunks.placed ? std::fmax(last, moment) : last;
  using recorded_columns::Change;
  const auto& changes = run.recording.changes;
  std::map<StringId, StringId> reasons;  // by address
  for (std::size_t row = 0; row < changes.size(); ++row) {
    if (run.text(changes.text(Change::change, row)) == "removed")
      reasons[changes.text(Change::worker, row)] = changes.text(Change::reason, row);
  }
  std::vector<double> gone, threads;  // of those that left: when [s], and how many
  std::vector<double> begins;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end == 0) continue;
    left.seen += 1;
    begins.push_back(run.ticks[range.begin]);
    if (range.end >= run.ticks.size() || run.ticks[range.end] >= last) continue;
    left.count += 1;
    gone.push_back(run.ticks[range.end - 1]);
    threads.push_back(value_or(nthreads_at(run, w, range.end - 1), 0));
    selection.workers.push_back(address(run, w));
    if (left.named.size() == most_named) continue;
    const auto reason = reasons.find(run.workers.address[w]);
    left.named.push_back({worker_name(run, w), run.ticks[range.end - 1],
                          std::string(reason == reasons.end() ? "" : run.text(reason->second))});
  }
  // Each that came makes up for the one that has been missing for longest.
  std::sort(begins.begin(), begins.end());
  for (const double came : begins) {
    const auto first = std::min_element(gone.begin(), gone.end());
    if (first == gone.end() || !(*first < came)) continue;
    left.came += 1;
    left.last_came = came;
    left.missing += threads[static_cast<std::size_t>(first - gone.begin())] * (came - *first);
    *first = std::numeric_limits<double>::infinity();
  }
  return left;
}

}  // namespace

std::string worker_name(const Run& run, std::size_t worker) {
  const Workers& w = run.workers;
  if (w.name[worker] != no_string) return std::string(run.text(w.name[worker]));
  const std::string_view whole = run.text(w.address[worker]);
  const std::size_t scheme = whole.find("://"), port = whole.rfind(':');
  if (scheme == std::string_view::npos || port <= scheme) return std::string(whole);
  const bool is_one_host = std::all_of(w.host.begin(), w.host.end(),
                                       [&](StringId host) { return host == w.host[worker]; });
  return std::string(whole.substr(is_one_host ? port : scheme + 3));
}

MemoryPeak::MemoryPeak(const Run& run, std::size_t worker) {
  const TickSeries& memory = run.workers.of(Series::memory, worker);
  for (std::size_t i = 0; i < memory.values.size(); ++i) {
    const double limit = run.workers.of(Series::memory_limit, worker).at(memory.first_tick + i);
    const double now = memory.values[i] / limit;
    if (limit > 0 && !is_absent(now) && !(now <= share)) share = now, bytes = memory.values[i];
  }
}

std::vector<Finding> memory_near_limit(const RunFacts& f) {
  const Run& run = f.run;
  // What a pause cost is not known: only what costs a twentieth of the core-time comes before it.
  const double rank = least_share * f.available;
  if (auto said = warned(f, paused, Severity::medium); !said.empty()) {
    for (Finding& finding : said) finding.rank = rank;
    return said;
  }
  NearMemoryLimit evidence;
  std::size_t worst = 0;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const MemoryPeak own(run, w);
    if (own.share > evidence.share)
      evidence.share = own.share, evidence.bytes = own.bytes, worst = w;
    if (own.share >= dask_pauses) evidence.workers += 1;
  }
  if (!(evidence.share >= dask_pauses)) return {};
  evidence.worker = worker_name(run, worst);
  return {{.severity = evidence.share >= dask_terminates ? Severity::high : Severity::medium,
           .evidence = evidence,
           .selection = {.workers = {address(run, worst)}},
           .rank = rank}};
}

std::vector<Finding> garbage_collection(const RunFacts& f) {
  std::vector<Finding> found = time_collecting(f);
  if (!found.empty()) return found;
  found = warned(f, "collecting", Severity::low);
  for (Finding& finding : found) finding.cause = Cause::garbage_collection;
  return found;
}

// A lost chunk or two at the estimate's edge is no finding.
constexpr double worth_losing = 0.01;

/// Whether no more chunks ran than executors were given: coffea counts entries that a fileset lists
/// twice once.
bool each_ran_once(const Run& run) {
  double given = 0;
  for (const PlannedTasks& planned : run.recording.index.planned)
    if (run.text(planned.kind) == "chunk") given += planned.tasks;
  return given > 0 && static_cast<double>(rows_of_chunks(run).size()) <= given;
}

/// [core-s] Of attempts that raised and whose work was tried again, by the rows of tasks. The last
/// attempt at what never ended well was not.
double seconds_tried_again(const Run& run) {
  double seconds = 0;
  if (run.recording.tasks.size() == 0) return seconds;  // Dask's stream tells it by itself
  for (const Failed& failed : find_failures(run, {})) {
    const double raised = failed.attempts - failed.lost;
    const double tried_again = std::max(0.0, raised - (failed.items - failed.recovered));
    seconds += value_or(failed.core_seconds, 0) * tried_again / failed.attempts;
  }
  return seconds;
}

double seconds_raised(const Run& run) {
  if (run.recording.tasks.size() + run.tasks.size() == 0) return absent;
  const StringId error = run.names->strings.find("error");
  const std::vector<StringId>& told = run.tasks.status;
  const bool is_told = std::find(told.begin(), told.end(), error) != told.end();
  // Where the rows know of none that the task stream has they do not tell.
  if (!any_failed(run)) return is_told ? absent : 0;
  double seconds = 0;
  for (const Failed& way : find_failures(run, {})) {
    if (way.attempts > way.lost) seconds += way.core_seconds;
  }
  return seconds;
}

/// Work that was repeated and the workers that left, one finding.
std::vector<Finding> lost_work(const RunFacts& f) {
  Selection selection;
  const WorkersThatLeft left = workers_that_left(f.run, selection);
  // What was repeated because attempts failed is reported with the failures.
  constexpr double most_of_it = 0.8;
  if (left.count == 0 && f.lost.repeated >= 1 &&
      (each_ran_once(f.run) || seconds_tried_again(f.run) >= most_of_it * f.lost.core_seconds))
    return {};
  if (f.lost.repeated >= 1 && f.share(f.lost.core_seconds) >= worth_losing)
    return {{.cause = Cause::lost_work,
             .evidence = RepeatedWork{f.lost.repeated, f.lost.executions, f.lost.exact,
                                      left.count > 0 && seconds_raised(f.run) == 0, left},
             .selection = selection,
             .core_seconds = f.lost.core_seconds,
             .idle_core_seconds = f.idle.of(IdleCause::leaving),
             .gain_core_seconds = f.saved_without_repeats()}};
  if (left.count == 0) return {};
  return {{.cause = Cause::workers_lost,
           .severity = left.count >= 0.1 * left.seen ? Severity::medium : Severity::low,
           .evidence = left,
           .selection = selection,
           .core_seconds = left.missing > 0 ? left.missing : absent}};
}

// Workers that connect within a few seconds of the first one are usual.
constexpr double usual_delay = 3;  // [s]
constexpr double worth_waiting_for = 0.05;

std::vector<Finding> late_workers(const RunFacts& f) {
  const Run& run = f.run;
  if (run.ticks_of_busy_workers) return {};
  double first = absent;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end == 0) continue;
    // A worker that comes after another left replaces it.
    if (range.end < run.ticks.size()) return {};
    first = std::fmin(first, run.ticks[range.begin]);
  }
  LateWorkers evidence{.first = first};
  double missing = 0;  // [core-s]
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end == 0) continue;
    const double came = run.ticks[range.begin];
    if (!(came - first > usual_delay)) continue;
    const double threads = value_or(nthreads_at(run, w, range.begin), 0);
    evidence.workers += 1;
    missing += threads * (came - first);
    evidence.threads += threads;
    evidence.last = std::max(evidence.last, came);
  }
  if (!(f.share(missing) >= worth_waiting_for)) return {};
  return {
      {.severity = at_most_medium(f.share(missing)),
       .evidence = evidence,
       .selection = {.time = Selection::TimeRange{first, evidence.last}},
       .core_seconds = missing,
       .gain_core_seconds = f.saved_by_starting_at_once(std::numeric_limits<double>::infinity())}};
}

/// What reading found out: times that do not fit, and versions and settings that differ.
std::vector<Finding> recording_notes(const RunFacts& f) {
  std::vector<Finding> found;
  const auto add = [&](Cause cause, Severity severity, double cost,
                       bool (*is_of)(std::string_view id)) {
    for (const DataNote& note : f.run.data_notes) {
      // Where the scheduler stood still, it noted tasks late; each worker's clock is its own.
      if (is_of(note.id) && (note.id == "worker-clock" || !stood_still(f)))
        found.push_back({.cause = cause,
                         .severity = severity,
                         .evidence = NotedByReading{note.id, note.message},
                         .core_seconds = cost});
    }
  };
  add(Cause::clock_skew, Severity::low, 0, [](std::string_view id) {
    return id == "chunks-outside-run" || id == "chunks-outside-tasks" || id == "worker-clock";
  });
  add(Cause::versions_differ, Severity::medium, absent,
      [](std::string_view id) { return id == "versions-differ"; });
  add(Cause::settings_differ, Severity::medium, absent,
      [](std::string_view id) { return id == "settings-differ"; });
  return found;
}

std::vector<Finding> unresponsive(const RunFacts& f) {
  return warned(f, "unresponsive", Severity::low);
}

}  // namespace crema::diagnose::rules
