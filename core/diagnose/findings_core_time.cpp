// Rules about what tasks did beside process(): those that failed, that were held up or spent long
// outside it, other tasks, conversion and merging of results.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnose/rules.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose {

using recorded_columns::Task;

// A second beyond what others take is no matter of a file's size, or of the description in it.
constexpr double held_up_for = 1;  // [s]
// Tasks that one thing held up overlap; those of a slow file or dataset follow each other.
constexpr double one_moment = 2;  // times the longest

HeldUp::HeldUp(const Run& run) {
  const auto& tasks = run.recording.tasks;
  const std::vector<std::size_t>& rows = rows_of_chunks(run);
  const std::vector<double>& stopped = stops_of(run).of_task;
  const auto outside_of = [&](std::size_t row) {
    return tasks.at(Task::wall, row) - tasks.at(Task::process_wall, row) -
           (stopped.empty() ? 0 : stopped[row]);
  };
  struct First {
    double begin = absent, until = absent;  // [s] it was outside process()
  };
  std::map<StringId, First> first;  // by process
  std::set<StringId> files;
  std::vector<double> outside;
  for (const std::size_t row : rows) {
    outside.push_back(outside_of(row));
    const double from = tasks.at(Task::begin, row);
    First& earliest = first[tasks.text(Task::address, row)];
    if (!(earliest.begin <= from)) earliest = {from, from + outside.back()};
  }
  usual = median_of(std::move(outside));
  is_first.resize(tasks.size(), false);
  first_took.resize(tasks.size(), 0);
  for (const std::size_t row : rows) {
    const double more = outside_of(row) - usual, from = tasks.at(Task::begin, row);
    // What other threads of the process begin meanwhile waits for the same modules.
    const First& earliest = first[tasks.text(Task::address, row)];
    const bool is_held_up = more >= std::max(held_up_for, outlier_factor * usual);
    if (from == earliest.begin || (is_held_up && from < earliest.until)) {
      is_first[row] = true;
      firsts += 1;
      by_first += first_took[row] = std::max(0.0, value_or(more, 0));
      continue;
    }
    if (!is_held_up) continue;
    chunks += 1;
    seconds += more;
    longest = std::fmax(longest, outside_of(row));
    for_input += value_or(tasks.at(Task::request_wait, row), 0);
    begin = std::fmin(begin, from);
    end = std::fmax(end, from + tasks.at(Task::wall, row));
    files.insert(tasks.text(Task::file, row));
  }
  const StringId only = files.size() == 1 ? *files.begin() : no_string;
  const auto of_file = std::count_if(rows.begin(), rows.end(), [&](std::size_t row) {
    return tasks.text(Task::file, row) == only;
  });
  if ((only != no_string && 2 * chunks > static_cast<double>(of_file)) ||
      end - begin > one_moment * longest)
    chunks = seconds = 0;
}

double HeldUp::importing() const { return std::min(by_first, usual_import * firsts); }

namespace rules {

namespace {

template <typename Key>
std::pair<Key, double> most_of(const std::map<Key, double>& counts) {
  return *std::max_element(counts.begin(), counts.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// By the rows of `crema.record`: attempts that Dask's stream, or a retry within a task, hides. Of
/// a workflow manager's log instances of libraries, or all others.
std::vector<Finding> failed_attempts(const RunFacts& f, std::span<const Failed> failures,
                                     bool of_libraries) {
  const Run& run = f.run;
  FailedTasks sum{.of_libraries = of_libraries,
                  .is_open = run.recording.of_log() || run.recording.index.is_running};
  const auto& rows = run.recording.tasks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    // The client's own merging is no task that anybody sees.
    const bool is_merging = run.text(rows.text(Task::worker, row)) == "client" &&
                            run.text(rows.text(Task::status, row)) == "ok";
    sum.executions += is_library(run, row) == of_libraries && !is_merging ? 1 : 0;
  }
  if (sum.executions == 0) return {};
  double seconds = absent;
  std::map<std::string, double> exceptions;
  std::set<std::string> files, workers;
  std::set<StringId> missing;
  for (const Failed& failed : failures) {
    if (failed.is_library != of_libraries || failed.exception == "CANCELLED") continue;
    // A lost worker is another matter, unless its work was never done. Without a word of its end
    // it may not be lost: the recording may have ended first.
    const bool is_done = failed.recovered + failed.untold == failed.items ||
                         failed.message.empty() || run.recording.index.is_running;
    const double attempts = failed.attempts - (is_done ? failed.lost : 0);
    if (!(attempts > 0)) continue;
    if (!of_libraries) sum.ways.push_back(failed);
    sum.failed += attempts;
    sum.skipped += failed.skipped;
    // What fails in several ways is one task for all of them.
    const auto most = std::min(failed.unfinished.size(), static_cast<std::size_t>(attempts));
    missing.insert(failed.unfinished.begin(),
                   failed.unfinished.begin() + static_cast<std::ptrdiff_t>(most));
    sum.untold += std::min(attempts, failed.untold);
    if (!is_absent(failed.core_seconds))
      seconds = value_or(seconds, 0) + failed.core_seconds * attempts / failed.attempts;
    if (!failed.exception.empty()) exceptions[failed.exception] += attempts;
    files.insert(failed.files == 1 ? failed.file : "");
    workers.insert(failed.workers == 1 ? failed.worker : "");
  }
  if (sum.failed == 0) return {};
  // What a process does once, as to import, its next task need not do again.
  double once = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    once += run.text(rows.text(Task::status, row)) == "failed" ? f.held_up.first_took[row] : 0;
  if (!is_absent(seconds)) seconds = std::max(0.0, seconds - once);
  sum.missing = static_cast<double>(missing.size());
  sum.exceptions = exceptions.size();
  if (!exceptions.empty()) std::tie(sum.exception, sum.exception_times) = most_of(exceptions);
  Selection selection;
  if (files.size() == 1 && !files.begin()->empty()) {
    sum.file = *files.begin();
    selection.files = {sum.file};
  } else if (workers.size() == 1 && sum.failed > 1 && run.workers.size() > 1) {
    // One file that fails twice may do so on one worker by chance.
    sum.worker = *workers.begin();
  }
  const bool loses_results = sum.missing > 0 && !of_libraries;
  return {{.severity = loses_results ? Severity::high : Severity::medium,
           .evidence = sum,
           .selection = selection,
           .core_seconds = of_libraries ? absent : seconds,
           .gain_core_seconds = of_libraries ? absent : seconds,
           .is_failure = loses_results}};
}

std::vector<Finding> failed_executions(const RunFacts& f) {
  const Run& run = f.run;
  const Tasks& t = run.tasks;
  FailedTasks sum;
  double seconds = 0;
  std::map<std::string, double> exceptions;
  std::map<StringId, double> failed_on;  // worker
  std::set<StringId> workers, failed, done;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (run.text(t.action[i]) != "compute") continue;
    sum.executions += 1;
    workers.insert(t.worker[i]);
    if (run.text(t.status[i]) != "error") {
      done.insert(t.key[i]);
      continue;
    }
    failed.insert(t.key[i]);
    sum.failed += 1;
    seconds += t.t1[i] - t.t0[i];
    failed_on[t.worker[i]] += 1;
    if (t.exception[i] != no_string)
      exceptions[std::string(exception_class(run.text(t.exception[i])))] += 1;
  }
  if (sum.failed == 0) return {};
  for (const StringId key : failed) sum.missing += done.count(key) == 0 ? 1 : 0;
  const auto [worker, on_worker] = most_of(failed_on);
  if (on_worker == sum.failed && failed.size() > 1 && workers.size() > 1)
    sum.worker = run.text(worker);
  sum.exceptions = exceptions.size();
  if (!exceptions.empty()) std::tie(sum.exception, sum.exception_times) = most_of(exceptions);
  Selection selection;
  if (!sum.worker.empty()) selection.workers = {sum.worker};
  return {{.severity = sum.missing > 0 ? Severity::high : Severity::medium,
           .evidence = sum,
           .selection = selection,
           .core_seconds = seconds,
           .is_failure = sum.missing > 0}};
}

}  // namespace

std::vector<Finding> failed_tasks(const RunFacts& f) {
  // Rows say which file and what the analysis raised, where coffea raises another exception.
  std::vector<Failed> failures;
  if (f.run.recording.tasks.size() > 0) failures = find_failures(f.run, {});
  std::vector<Finding> found = failed_attempts(f, failures, false);
  if (found.empty()) found = failed_executions(f);
  for (Finding& of_libraries : failed_attempts(f, failures, true))
    found.push_back(std::move(of_libraries));
  return found;
}

std::vector<Finding> held_up(const RunFacts& f) {
  const HeldUp& few = f.held_up;
  if (!(f.share(few.seconds) >= least_share)) return {};
  return {{.severity = at_most_medium(f.share(few.seconds)),
           .evidence = Measurements{{"few", few.chunks, Unit::chunks},
                                    {"longest", few.longest, Unit::seconds},
                                    {"usual", few.usual, Unit::seconds},
                                    {"begin", few.begin, Unit::seconds},
                                    {"end", few.end, Unit::seconds},
                                    {"input", few.for_input, Unit::seconds}},
           .selection = {.time = Selection::TimeRange{few.begin, few.end}},
           .core_seconds = few.seconds,
           .gain_core_seconds = few.seconds}};
}

double slow_compression(const Run& run) {
  // lz4.frame: from COMPRESSIONLEVEL_MINHC on it looks for the best match.
  constexpr double high_compression = 3;
  std::map<double, double> tasks;  // by level
  for (const PlannedTasks& planned : run.recording.index.planned) {
    if (!is_absent(planned.compression)) tasks[planned.compression] += planned.tasks;
  }
  const auto most = std::max_element(
      tasks.begin(), tasks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != tasks.end() && most->first >= high_compression ? most->first : absent;
}

double unusual_outside(const RunFacts& f) {
  return f.budget.of(BudgetPart::Kind::outside_process) - f.held_up.seconds - f.held_up.by_first -
         usual_outside * f.executions();
}

std::vector<Finding> outside_process(const RunFacts& f) {
  // Of what no row names all is unusual, but for what begins and ends a task: in healthy runs
  // 5 to 10 ms.
  constexpr double to_begin_and_end = 0.02;  // [s]
  const double untold = untold_outside(f) - f.held_up.seconds - f.held_up.by_first -
                        to_begin_and_end * f.executions();
  const double unusual = std::fmax(unusual_outside(f), untold);
  if (!(f.share(unusual) >= notable)) return {};
  // Files that are slow to open are one cause, reported with pre-processing.
  if (unusual_opening(f) > 0 && (f.share(f.preprocessing) >= notable || f.small_files)) return {};
  if (2 * f.slow_opening.again >= unusual) return {};
  if (2 * f.read_ahead.seconds >= unusual) return {};
  if (!large_processor(f).empty() && 2 * f.sum_of(Task::unpack_wall) >= unusual) return {};
  // What the first task of a process imports is none of each task's.
  const double outside = f.budget.of(BudgetPart::Kind::outside_process) - f.held_up.by_first;
  const double each = outside / f.executions();
  const auto at_least_none = [](double seconds) { return seconds < 0 ? 0 : seconds; };
  const double starting = f.usual_of(Task::start_wall), opening = f.usual_of(Task::open_wall),
               unpacking = f.usual_of(Task::unpack_wall),
               packing = f.usual_of(Task::serialise_wall);
  const double other = at_least_none(each - value_or(starting, 0) - opening - unpacking - packing);
  return {{.evidence =
               OutsideProcess{.share = outside / f.processor_seconds,
                              .outside = each,
                              .inside = f.inside / static_cast<double>(f.run.chunks.size()),
                              .starting = starting,
                              .opening = opening,
                              .unpacking = unpacking,
                              .packing = packing,
                              .other = other,
                              .counts_other = unusual == untold,
                              .function = own_outside(f.run),
                              .in_loop = 2 * other > each
                                             ? function_in_loop(f.run, CallTree::Kind::server)
                                             : LoopFunction{},
                              .compression = 2 * packing > each ? slow_compression(f.run) : absent},
           .core_seconds = unusual,
           .gain_core_seconds = f.saved_by(unusual)}};
}

std::set<std::string_view> prefixes_of_coffea(const RunFacts& f) {
  // One of several processors is the run's: chunks of the others are no other tasks.
  const auto& rows = f.run.recording.tasks;
  std::set<std::string_view> known = {"reduce", "automatic_retries", f.run.text(f.processor)};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (f.run.text(rows.text(Task::kind, row)) == "chunk") known.insert(prefix_of_row(f.run, row));
  }
  return known;
}

std::vector<Finding> foreign_tasks(const RunFacts& f) {
  // Where tasks are not coffea's chunks, as in graphs of dask-awkward and logs of batch systems,
  // names do not tell whose they are.
  if (f.run.chunks.size() == 0 || f.run.recording.of_log()) return {};
  const std::set<std::string_view> known = prefixes_of_coffea(f);
  std::vector<Finding> found;
  for (const BudgetPart& part : f.budget.parts) {
    if (part.kind != BudgetPart::Kind::task || known.contains(part.label) ||
        !(f.share(part.core_seconds) >= notable))
      continue;
    // What is left to be had without them is not known.
    found.push_back({.evidence = Measurements{{"name", part.label}},
                     .selection = {.prefixes = {part.label}},
                     .core_seconds = part.core_seconds,
                     .rank = part.core_seconds});
  }
  return found;
}

std::vector<Finding> conversion(const RunFacts& f) {
  struct Kind {
    Cause cause;
    std::array<const char*, 2> activities;
  };
  std::vector<Finding> found;
  for (const Kind& kind : {Kind{Cause::serialization, {"serialize", "deserialize"}},
                           Kind{Cause::compression, {"compress", "decompress"}}}) {
    double seconds = 0;
    for (const char* activity : kind.activities)
      seconds += value_or(activity_sum(f.run, activity, "seconds"), 0);
    if (f.share(seconds) >= 0.01)
      found.push_back(
          {.cause = kind.cause, .core_seconds = seconds, .gain_core_seconds = f.saved_by(seconds)});
  }
  return found;
}

// Dask writes results to disk where a worker's memory runs short, and never else.
std::vector<Finding> spilling(const RunFacts& f) {
  const double bytes = activity_sum(f.run, "disk-write", "bytes");
  const double seconds = value_or(activity_sum(f.run, "disk-read", "seconds"), 0) +
                         value_or(activity_sum(f.run, "disk-write", "seconds"), 0);
  if (!(bytes > 0)) return {};
  return {{.severity = std::max(severity_of(f.share(seconds)), Severity::medium),
           .evidence = Measurements{{"spilled", bytes, Unit::bytes}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds)}};
}

// A merged result of at least this part of all that was merged holds the chunks' own columns; one
// of histograms stays as large as each of them.
constexpr double holds_columns = 0.5;
// A core unpacks, adds and packs 22 MB and more of results in a second (laboratory, columns): where
// it gets through far less, what adds them is to blame, not how much they are.
constexpr double quick_enough = 5e6;  // [byte/s], packed

/// [s] When the last task of that prefix ended; absent without a task stream.
static double last_end_of(const Run& run, StringId prefix) {
  double end = absent;
  for_each_execution(run, [&](std::size_t i) {
    if (run.tasks.prefix[i] == prefix) end = std::fmax(end, run.tasks.t1[i]);
  });
  return end;
}

std::vector<Finding> reduction(const RunFacts& f) {
  const double seconds = f.budget.of(BudgetPart::Kind::task, "reduce");
  constexpr double worth_a_look = 0.03;  // of results that grow with the events
  Merging merging;
  const Tasks& tasks = f.run.tasks;
  const StringId compute = f.run.names->strings.find("compute");
  const StringId reduce = f.run.names->strings.find("reduce");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || is_absent(tasks.nbytes[i])) continue;
    if (tasks.prefix[i] == f.processor) merging.results += tasks.nbytes[i], merging.tasks += 1;
    if (tasks.prefix[i] == reduce) merging.merged = std::max(merging.merged, tasks.nbytes[i]);
  }
  merging.function = own_in_merging(f.run, seconds / f.inside);
  merging.packing = f.sum_of(Task::serialise_wall);
  merging.are_packed = any_of(f.run.recording.index.planned,
                              [](const auto& planned) { return planned.compression > 0; });
  // Merging packs as chunks do: beside what that takes a level of no matter is not told.
  if (merging.packing >= notable * seconds) merging.compression = slow_compression(f.run);
  // Histograms of each dataset are merged to as many as there are datasets.
  const double datasets = static_cast<double>(chunk_groups(f.run, ChunkKey::dataset).size());
  const bool is_heavy = merging.merged >= holds_columns * merging.results && merging.results > 0 &&
                        merging.results >= quick_enough * seconds &&
                        datasets <= holds_columns / 2 * merging.tasks;
  // One core merges the last results while the others have nothing to do; large ones go to the
  // client after that.
  const double after = f.phase("after", &Phase::t0, f.elapsed);
  const double until =
      is_heavy ? f.elapsed : std::max(after, value_or(last_end_of(f.run, reduce), f.elapsed));
  const double idle = (f.cores - 1) * std::min(seconds, until - after);
  if (!(f.share(seconds + idle) >= worth_a_look)) return {};
  // Any run merges its results.
  if (!is_heavy && !(f.share(seconds + idle) >= notable)) return {};
  return {{.cause = is_heavy ? Cause::heavy_output : Cause::reduction,
           .evidence = merging,
           .selection = {.prefixes = {"reduce"}},
           .core_seconds = seconds,
           .idle_core_seconds = idle,
           .gain_core_seconds = seconds + idle}};
}

double untold_outside(const RunFacts& f) {
  double left =
      f.budget.of(BudgetPart::Kind::outside_process) - value_or(f.sum_of(Task::start_wall), 0);
  for (const Task part : {Task::open_wall, Task::unpack_wall, Task::serialise_wall})
    left -= f.sum_of(part);
  return left < 0 ? 0 : left;
}

}  // namespace rules

}  // namespace crema::diagnose
