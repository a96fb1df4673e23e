// Rules about where the core-time went: failed tasks, outside process(), start-up, the tail, idle
// cores, conversion and merging of results.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnose/rules.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose::rules {

namespace {

double executions_of_processor(const RunFacts& f) {
  return is_absent(f.lost.executions) ? recorded_num_chunks(f.run) : f.lost.executions;
}

/// [core-s] outside process() beyond what is usual.
double unusual_outside(const RunFacts& f) {
  return f.budget.of(BudgetPart::Kind::outside_process) - f.held_up.seconds -
         usual_outside * executions_of_processor(f);
}

using recorded_columns::Task;

/// [core-s] of a part of the processor's tasks, as their rows tell; absent without rows.
double sum_of_chunks(const RunFacts& f, Task part) {
  return sum_of_rows(f.run, rows_of_chunks(f.run), part);
}

/// [core-s] outside process() beyond what is usual that opened files: all of it where rows do not
/// tell, nothing where opening was less than half of it.
double unusual_opening(const RunFacts& f) {
  const double unusual = std::max(0.0, value_or(unusual_outside(f), 0));
  const double opening = value_or(sum_of_chunks(f, Task::open_wall), unusual);
  return opening >= unusual / 2 ? std::min(unusual, opening) : 0;
}

bool is_preprocessing(const RunFacts& f) { return f.share(f.preprocessing) >= notable; }

template <typename Key>
std::pair<Key, double> most_of(const std::map<Key, double>& counts) {
  return *std::max_element(counts.begin(), counts.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

double phase_seconds(const RunFacts& f, const char* name, double Phase::*edge, double fallback) {
  const auto found = std::find_if(f.phases.begin(), f.phases.end(),
                                  [&](const Phase& p) { return p.name == name; });
  return found == f.phases.end() ? fallback : (*found).*edge;
}

}  // namespace

namespace {

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
  for (const Failed& failed : failures) {
    if (failed.is_library != of_libraries || failed.exception == "CANCELLED") continue;
    // A lost worker is another matter, unless its work was never done. Without a word of its end
    // it may not be lost: the recording may have ended first.
    const bool is_done = failed.recovered == failed.items || failed.message.empty() ||
                         run.recording.index.is_running;
    const double attempts = failed.attempts - (is_done ? failed.lost : 0);
    if (!(attempts > 0)) continue;
    if (!of_libraries) sum.ways.push_back(failed);
    sum.failed += attempts;
    sum.skipped += failed.skipped;
    sum.missing += std::min(attempts, failed.items - failed.recovered);
    if (!is_absent(failed.core_seconds))
      seconds = value_or(seconds, 0) + failed.core_seconds * attempts / failed.attempts;
    if (!failed.exception.empty()) exceptions[failed.exception] += attempts;
    files.insert(failed.files == 1 ? failed.file : "");
    workers.insert(failed.workers == 1 ? failed.worker : "");
  }
  if (sum.failed == 0) return {};
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

std::vector<Finding> outside_process(const RunFacts& f) {
  const double outside = f.budget.of(BudgetPart::Kind::outside_process);
  const double unusual = unusual_outside(f);
  if (!(f.share(unusual) >= notable)) return {};
  // Files that are slow to open are one cause, reported with pre-processing.
  if (unusual_opening(f) > 0 && (is_preprocessing(f) || f.small_files)) return {};
  if (2 * f.slow_opening.again >= unusual) return {};
  const double tasks = executions_of_processor(f);
  return {{.evidence = OutsideProcess{.share = outside / f.processor_seconds,
                                      .outside = outside / tasks,
                                      .inside = f.inside / static_cast<double>(f.run.chunks.size()),
                                      .starting = sum_of_chunks(f, Task::start_wall) / tasks,
                                      .opening = sum_of_chunks(f, Task::open_wall) / tasks,
                                      .unpacking = sum_of_chunks(f, Task::unpack_wall) / tasks,
                                      .packing = sum_of_chunks(f, Task::serialise_wall) / tasks,
                                      .other = untold_outside(f) / tasks,
                                      .function = own_outside(f.run)},
           .core_seconds = unusual,
           .gain_core_seconds = f.saved_by(unusual)}};
}

namespace {

/// [s] of CPU that the client took between tasks until then: a finding of its own has them.
double client_between_tasks(const Run& run, double until) {
  double seconds = 0;
  for (const Selection::TimeRange& time :
       client_hour(run).times[static_cast<std::size_t>(ClientTime::between_tasks)]) {
    if (!(time.begin < until)) break;
    for (const ClientFunction& one : client_functions(run, time.begin, std::min(time.end, until)))
      seconds += one.cpu;
  }
  return seconds;
}

}  // namespace

std::vector<Finding> start_up(const RunFacts& f) {
  const bool has_chunks = f.run.chunks.size() > 0;
  // When chunks ran is not known: neither is how long the run waited for them.
  if (has_chunks && (!f.run.chunks.placed || !f.whole_list)) return {};
  // Nor is it where it is not known when there were cores.
  if (std::any_of(f.phases.begin(), f.phases.end(),
                  [](const Phase& p) { return p.end == Phase::End::no_cores; }))
    return {};
  // What was lost is in no list of chunks: the cores that ran it look as if they had waited.
  const bool has_ramp = f.filled && !(f.lost.repeated >= 1);
  // Files that are opened ahead are a finding of their own, as are those that cannot be opened.
  const bool is_reported =
      f.share(f.budget.of(BudgetPart::Kind::task, "automatic_retries")) >= least_share;
  double core_seconds = 0;
  double end = 0;
  for (const Phase& p : f.phases) {
    if (p.end != Phase::End::first_core && (p.name != "pre-processing" || is_reported) &&
        (p.name != "ramp" || !has_ramp || is_reported))
      continue;
    core_seconds += value_or(p.core_seconds, 0);
    end = p.t1;
  }
  // Chunks that ran meanwhile are no loss.
  core_seconds = std::max(0.0, core_seconds - chunk_steps(f.run).integral(0, end));
  const double share = f.share(core_seconds);
  const bool has_waited = !f.phases.empty() && f.phases.front().end == Phase::End::first_core;
  const double first_core = has_waited ? f.phases.front().t1 : 0;
  const double first_chunk = phase_seconds(f, "pre-processing", &Phase::t1, first_core);
  const bool is_late =
      end > usual_start && (share >= least_share || first_chunk >= notable * f.elapsed);
  // Other findings have these cores.
  const double by_client = client_between_tasks(f.run, end);
  if (stood_still_until(f, end) ||
      (by_client >= end / 2 && f.share(by_client * f.cores) >= least_share))
    return {};
  StartUp evidence{.first_core = first_core,
                   .first_chunk = first_chunk,
                   .end = end,
                   .has_chunks = has_chunks,
                   .filled = f.filled,
                   .has_ramp = has_ramp};
  using recorded_columns::Task;
  const auto& tasks = f.run.recording.tasks;
  const auto is_one_by_one = [&](std::size_t row) {
    return f.run.text(tasks.text(Task::executor, row)) == "IterativeExecutor";
  };
  const std::vector<std::size_t>& chunks = rows_of_chunks(f.run);
  if (!chunks.empty() && !is_one_by_one(chunks[0]) && !is_reported) {
    for (const std::size_t row : rows_of_files(f.run)) {
      const double seconds = value_or(tasks.at(Task::wall, row), 0);
      const bool is_before = tasks.at(Task::begin, row) + seconds <= end;
      if (!is_before || !is_one_by_one(row)) continue;
      evidence.files += 1;
      evidence.opening += seconds;
    }
  }
  const auto before = static_cast<std::size_t>(ClientTime::before_tasks);
  const auto facts = profile::facts_of(f.run);
  for (const ClientFunction& function : client_hour(f.run).functions[before]) {
    if (function.frame == ClientFunction::none || function.seconds < first_chunk / 2 ||
        facts->category[function.frame] != profile::Category::analysis)
      continue;
    evidence.function = facts->name[function.frame];
    evidence.in_function = function.seconds;
    if (is_late ? share >= least_share : function.seconds < notable * f.elapsed) break;
    // Whether or not cores were there: the run is longer by this time.
    const double longer = function.seconds * f.cores;
    return {{.cause = Cause::client_delays,
             .severity = at_most_medium(function.seconds / f.elapsed),
             .evidence = Measurements{{"function", evidence.function},
                                      {"seconds", function.seconds, Unit::seconds},
                                      {"cpu", function.cpu, Unit::seconds},
                                      {"idle", core_seconds, Unit::seconds},
                                      {"elapsed", f.elapsed, Unit::seconds}},
             .selection = {.time = Selection::TimeRange{0, first_chunk}},
             .core_seconds = longer,
             .gain_core_seconds = longer}};
  }
  if (!is_late) return {};
  return {{.cause = Cause::start_up,
           .severity = severity_of(std::max(share, first_chunk / f.elapsed / 2)),
           .evidence = evidence,
           .selection = {.time = Selection::TimeRange{0, end}},
           .core_seconds = core_seconds,
           .gain_core_seconds = f.saved_by_starting_at_once()}};
}

std::vector<Finding> small_files(const RunFacts& f) {
  const SmallFiles& small = f.small_files;
  if (!small) return {};
  const double seconds = small.again + small.ahead;
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"files", small.files},
                                    {"events", small.events},
                                    {"again", small.again, Unit::seconds},
                                    {"ahead", small.ahead, Unit::seconds}},
           .core_seconds = seconds,
           .gain_core_seconds = f.saved_by(seconds / 2)}};
}

std::vector<Finding> pre_processing(const RunFacts& f) {
  // Any run counts the events of its files: below a tenth that is a number, and no finding.
  if (!is_preprocessing(f) || f.small_files) return {};
  const double ahead = f.preprocessing;
  if (2 * f.slow_opening.ahead >= ahead) return {};  // files of one kind have most of it
  // Each file is opened again by the tasks that read it.
  const double again = unusual_opening(f);
  double begin = phase_seconds(f, "pre-processing", &Phase::t0, absent);
  double end = phase_seconds(f, "pre-processing", &Phase::t1, absent);
  // What else a client does before the first chunk stays.
  double first = absent, last = absent;
  const auto& rows = f.run.recording.tasks;
  for (const std::size_t row : rows_of_files(f.run)) {
    const double at = rows.at(Task::begin, row);
    first = std::fmin(first, at), last = std::fmax(last, at + rows.at(Task::wall, row));
  }
  begin = std::fmax(begin, first), end = std::fmin(end, last);
  const double computing =
      ratio(sum_of_chunks(f, Task::open_cpu), sum_of_chunks(f, Task::open_wall));
  const std::vector<std::string_view>& files = chunk_groups(f.run, ChunkKey::file).name;
  const bool copies = std::any_of(files.begin(), files.end(), [](std::string_view file) {
    // fsspec's caches of whole files: "blockcache::" keeps only what is read.
    return file.find("simplecache::") != std::string_view::npos ||
           file.find("filecache::") != std::string_view::npos;
  });
  const double saved = f.saved_between(end, begin) + (again > 0 ? f.saved_by(again) : 0);
  return {{.evidence = Preprocessing{ahead, again, computing, copies},
           .selection = {.prefixes = {"automatic_retries"}},
           .core_seconds = ahead + again,
           .gain_core_seconds = copies ? absent : saved}};
}

std::vector<Finding> tail(const RunFacts& f) {
  const Tail& t = f.tail;
  if (f.run.chunks.size() < enough_chunks || is_absent(t.core_seconds_wasted) || !f.whole_list)
    return {};
  // Less than that, and half a chunk per core, is what any list of chunks leaves at its end.
  constexpr double usual_end = 0.02;
  const double half_a_chunk = f.cores / (2 * static_cast<double>(f.run.chunks.size()));
  // A replay in which any worker may run any task can save idle time of before, too.
  const double gain =
      std::min(f.saved_between(t.actual_makespan, t.ideal_makespan), t.core_seconds_wasted);
  if (!(f.share(t.core_seconds_wasted) >= std::max(usual_end, half_a_chunk)) ||
      f.share(gain) < least_share)
    return {};
  return {{.evidence = LastChunks{t.end - t.t95, 1 - t.core_seconds_wasted / t.core_seconds,
                                  t.ideal_makespan, t.actual_makespan},
           .selection = {.time = Selection::TimeRange{t.t95, t.end}},
           .core_seconds = t.core_seconds_wasted,
           .gain_core_seconds = gain}};
}

std::vector<Finding> library_start(const RunFacts& f) {
  const double seconds = f.idle.seconds[static_cast<std::size_t>(IdleCause::library)];
  if (!(f.share(seconds) >= least_share)) return {};
  const TaskStates& states = f.run.task_states;
  double libraries = 0;
  for (std::size_t i = 0; i < states.t.size(); ++i) {
    if (f.run.text(states.state[i]) == "library-starting")
      libraries += std::max(0.0, states.tasks[i]);
  }
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"libraries", libraries}},
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

namespace {

/// Tasks that could run on certain workers only, where most of those that ended could; and which
/// workers ran no chunk.
Measurements bound_tasks(const Run& run) {
  using recorded_columns::Machine;
  const auto& rows = run.recording.machine;
  double ended = 0, to_workers = 0, to_resources = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ended += value_or(rows.at(Machine::ended, row), 0);
    to_workers += value_or(rows.at(Machine::bound_to_workers, row), 0);
    to_resources += value_or(rows.at(Machine::bound_to_resources, row), 0);
  }
  const double bound = to_workers + to_resources;
  if (!(bound > 0) || !(bound >= ended / 2)) return {};
  std::set<StringId> unused(run.workers.address.begin(), run.workers.address.end());
  Measurements found{
      {"bound", bound}, {"ended", ended}, {"workers", static_cast<double>(unused.size())}};
  for (const StringId worker : run.chunks.worker) unused.erase(worker);
  if (to_resources > 0) found.push_back({"needing", to_resources});
  if (to_workers > 0) found.push_back({"named", to_workers});
  if (!unused.empty()) found.push_back({"unused", static_cast<double>(unused.size())});
  return found;
}

}  // namespace

std::vector<Finding> tasks_elsewhere(const RunFacts& f) {
  const double seconds = f.idle.seconds[static_cast<std::size_t>(IdleCause::elsewhere)];
  if (!(f.share(seconds) >= least_share)) return {};
  Measurements bound = bound_tasks(f.run);
  return {{.cause = bound.empty() ? Cause::tasks_elsewhere : Cause::tasks_bound,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(bound),
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

std::vector<Finding> runs_in_series(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  struct Call {
    double first = absent, last = absent;  // [s] when a chunk of it began
  };
  std::map<double, Call> calls;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    const double number = tasks.at(Task::call, row), begin = tasks.at(Task::begin, row);
    if (is_absent(number + begin)) continue;
    Call& call = calls[number];
    call.first = std::fmin(call.first, begin);
    call.last = std::fmax(call.last, begin);
  }
  std::vector<Selection::TimeRange> between;
  const Call* before = nullptr;
  for (const auto& [number, call] : calls) {
    if (before != nullptr && before->last < call.first)
      between.push_back({before->last, call.first});
    before = &call;
  }
  if (between.empty()) return {};
  double seconds = 0;
  for (const Selection::TimeRange& gap : between) seconds += f.cores * (gap.end - gap.begin);
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    const double begin = tasks.at(Task::begin, row), end = begin + tasks.at(Task::wall, row);
    if (!is_absent(end)) seconds -= overlap_of(between, begin, end);
  }
  // What the client computed meanwhile is a finding of its own.
  for (const ClientFunction& function :
       client_hour(f.run).functions[static_cast<std::size_t>(ClientTime::between_tasks)])
    seconds -= f.cores * function.cpu;
  if (!(f.share(seconds) >= least_share)) return {};
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = Measurements{{"runs", static_cast<double>(calls.size())}},
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

std::vector<Finding> idle_unknown(const RunFacts& f) {
  UnexplainedIdle evidence;
  double all = 0;
  for (const ExcessPart& part : f.account) {
    if (!part.idle) continue;
    evidence.seconds[static_cast<std::size_t>(*part.idle)] += part.unknown;
    all += part.unknown;
  }
  if (!(f.share(all) >= notable)) return {};
  return {{.severity = at_most_medium(f.share(all)),
           .evidence = evidence,
           .core_seconds = all,
           .rank = all}};
}

std::vector<Finding> foreign_tasks(const RunFacts& f) {
  // Where tasks are not coffea's chunks, as in graphs of dask-awkward and logs of batch systems,
  // names do not tell whose they are.
  if (f.run.chunks.size() == 0 || f.run.recording.of_log()) return {};
  // One of several processors is the run's: chunks of the others are no other tasks.
  const auto& rows = f.run.recording.tasks;
  std::set<std::string_view> known = {"reduce", "automatic_retries"};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (f.run.text(rows.text(Task::kind, row)) == "chunk") known.insert(prefix_of_row(f.run, row));
  }
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

namespace {

/// What has at least half of merging: of its samples, else of what the client's thread was seen in.
OwnFunction merging_function(const RunFacts& f, double seconds) {
  OwnFunction function = own_outside(f.run, true);
  if (!function.name.empty()) return function;
  const auto facts = profile::facts_of(f.run);
  const Run::Window window = f.run.window();
  for (const ClientFunction& one : client_functions(f.run, window.begin, window.end)) {
    if (!(2 * one.seconds >= seconds)) continue;
    const std::string place =
        sentence({base_name(facts->file[one.frame]), ":", std::to_string(facts->line[one.frame])});
    return {sentence({facts->name[one.frame], " (", place, ")"}),
            std::min(1.0, one.seconds / seconds)};
  }
  return {};
}

}  // namespace

std::vector<Finding> reduction(const RunFacts& f) {
  const double seconds = f.budget.of(BudgetPart::Kind::task, "reduce");
  if (!(f.share(seconds) >= 0.03)) return {};
  Merging merging;
  const Tasks& tasks = f.run.tasks;
  const StringId compute = f.run.names->strings.find("compute");
  const StringId reduce = f.run.names->strings.find("reduce");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks.action[i] != compute || is_absent(tasks.nbytes[i])) continue;
    if (tasks.prefix[i] == f.processor) merging.results += tasks.nbytes[i], merging.tasks += 1;
    if (tasks.prefix[i] == reduce) merging.merged = std::max(merging.merged, tasks.nbytes[i]);
  }
  // One core merges the last results while the others have nothing to do.
  const double last = f.elapsed - phase_seconds(f, "after", &Phase::t0, f.elapsed);
  merging.function = merging_function(f, seconds);
  // Histograms of each dataset are merged to as many as there are datasets.
  const double datasets = static_cast<double>(chunk_groups(f.run, ChunkKey::dataset).size());
  const bool is_heavy = merging.merged >= holds_columns * merging.results && merging.results > 0 &&
                        datasets <= holds_columns / 2 * merging.tasks;
  return {{.cause = is_heavy ? Cause::heavy_output : Cause::reduction,
           .evidence = merging,
           .selection = {.prefixes = {"reduce"}},
           .core_seconds = seconds,
           .idle_core_seconds = (f.cores - 1) * std::min(seconds, last),
           .gain_core_seconds = f.saved_by(seconds)}};
}

double untold_outside(const RunFacts& f) {
  double left = f.budget.of(BudgetPart::Kind::outside_process) -
                value_or(sum_of_chunks(f, Task::start_wall), 0);
  for (const Task part : {Task::open_wall, Task::unpack_wall, Task::serialise_wall})
    left -= sum_of_chunks(f, part);
  return left < 0 ? 0 : left;
}

double waiting_to_open(const RunFacts& f) {
  const double in_chunks = sum_of_chunks(f, Task::open_wall) - sum_of_chunks(f, Task::open_cpu);
  if (is_absent(in_chunks)) return value_or(f.preprocessing, 0) + unusual_opening(f);
  const auto& tasks = f.run.recording.tasks;
  double ahead = 0;
  for (const std::size_t row : rows_of_files(f.run))
    ahead += value_or(tasks.at(Task::wall, row) - tasks.at(Task::cpu, row), 0);
  return in_chunks + ahead;
}

}  // namespace crema::diagnose::rules
