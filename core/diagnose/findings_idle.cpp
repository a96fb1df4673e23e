// Rules about idle cores: before the first chunks, between calls of a runner, while the scheduler
// stands still or the client computes, while tasks wait for other workers, behind the last chunks,
// and without a cause.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnose/rules.hpp"
#include "core/profile/profile.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::diagnose::rules {

using recorded_columns::Task;

namespace {

/// [s] of CPU that the client took between tasks until then: a finding of its own has them.
double client_between_tasks(const Run& run, double until) {
  double seconds = 0;
  for (const Selection::TimeRange& time : client_hour(run).times_of(ClientTime::between_tasks)) {
    if (!(time.begin < until)) break;
    for (const ClientFunction& one : client_functions(run, time.begin, std::min(time.end, until)))
      seconds += one.cpu;
  }
  return seconds;
}

}  // namespace

namespace {

/// The prefix of other tasks that ran for half of the time until `end` [s] and longer, and for how
/// long [s] any of them did.
std::pair<std::string, double> other_tasks_until(const RunFacts& f, double end) {
  if (f.run.chunks.size() == 0 || f.run.recording.of_log()) return {};
  const std::set<std::string_view> known = prefixes_of_coffea(f);
  std::map<StringId, std::vector<std::pair<double, double>>> when;
  for_each_execution(f.run, [&](std::size_t i) {
    const Tasks& tasks = f.run.tasks;
    if (tasks.t0[i] < end && !known.contains(f.run.text(tasks.prefix[i])))
      when[tasks.prefix[i]].emplace_back(tasks.t0[i], std::min(tasks.t1[i], end));
  });
  for (auto& [prefix, times] : when) {
    std::sort(times.begin(), times.end());
    double seconds = 0, until = 0;
    for (const auto& [begin, ended] : times) {
      seconds += std::max(0.0, ended - std::max(begin, until));
      until = std::max(until, ended);
    }
    if (seconds >= end / 2) return {std::string(f.run.text(prefix)), seconds};
  }
  return {};
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
  const auto& tasks = f.run.recording.tasks;
  double first_failed = absent;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    if (f.run.text(tasks.text(Task::status, row)) == "failed")
      first_failed = std::fmin(first_failed, tasks.at(Task::begin, row));
  }
  // What was lost or failed is in no list of chunks: the cores that ran it look as if they had
  // waited.
  const bool has_ramp = f.filled && !(f.lost.repeated >= 1) && is_absent(first_failed);
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
  const bool has_waited = !f.phases.empty() && f.phases.front().end == Phase::End::first_core;
  const double first_core = has_waited ? f.phases.front().t1 : 0;
  double first_chunk = f.phase("pre-processing", &Phase::t1, first_core);
  // Chunks that ran meanwhile are no loss.
  core_seconds = std::max(0.0, core_seconds - chunk_steps(f.run).integral(0, end));
  if (first_failed < end) {
    core_seconds *= first_failed / end;
    end = first_chunk = std::min(first_chunk, first_failed);
  }
  const double share = f.share(core_seconds);
  // New processes import what the analysis needs: a healthy run does, too.
  const double importing = value_or(f.held_up.importing() / f.held_up.firsts, 0);
  const bool is_late =
      end - importing > usual_start && (share >= least_share || first_chunk >= notable * f.elapsed);
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
  const auto facts = profile::facts_of(f.run);
  for (const ClientFunction& function : client_hour(f.run).functions_of(ClientTime::before_tasks)) {
    if (function.frame == ClientFunction::none || function.seconds < first_chunk / 2) continue;
    const bool imports = facts->imports(function.frame);
    if (!imports && facts->category[function.frame] != profile::Category::analysis) continue;
    evidence.function = facts->name[function.frame];
    evidence.imports = imports;
    evidence.in_function = function.seconds;
    if (imports) break;
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
  if (2 * f.held_up.by_first >= core_seconds) evidence.by_first = f.held_up.by_first;
  std::tie(evidence.tasks, evidence.in_tasks) = other_tasks_until(f, first_chunk);
  return {{.cause = Cause::start_up,
           .severity = severity_of(std::max(share, first_chunk / f.elapsed / 2)),
           .evidence = evidence,
           .selection = {.time = Selection::TimeRange{0, end}},
           .core_seconds = core_seconds,
           .gain_core_seconds = f.saved_by_starting_at_once(end)}};
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
  const double seconds = f.idle.of(IdleCause::library);
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
  const double seconds = f.idle.of(IdleCause::elsewhere);
  if (!(f.share(seconds) >= least_share)) return {};
  Measurements bound = bound_tasks(f.run);
  if (bound.empty()) {  // calls with few chunks leave workers without any
    const std::vector<Finding> series = runs_in_series(f);
    if (!series.empty() && series.front().core_seconds >= seconds) return {};
  }
  return {{.cause = bound.empty() ? Cause::tasks_elsewhere : Cause::tasks_bound,
           .severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(bound),
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

/// [core-s] Of the cores that were there then.
static double available_in(const RunFacts& f, const Selection::TimeRange& time) {
  const CoreTime there = core_time(f.run, WorkerSelection(f.run, {}), time.begin, time.end);
  return value_or(there.core_seconds, f.cores * (time.end - time.begin));
}

std::vector<Finding> runs_in_series(const RunFacts& f) {
  const auto& tasks = f.run.recording.tasks;
  struct Call {
    std::map<std::pair<StringId, double>, double> first;  // [s] when each thread began one
    double last = absent;                                 // [s] when the last chunk began
    double chunks = 0;
  };
  std::map<double, Call> calls;
  for (const std::size_t row : rows_of_chunks(f.run)) {
    const double number = tasks.at(Task::call, row), begin = tasks.at(Task::begin, row);
    if (is_absent(number + begin)) continue;
    Call& call = calls[number];
    call.last = std::fmax(call.last, begin);
    call.chunks += 1;
    double& first =
        call.first
            .try_emplace({tasks.text(Task::address, row), value_or(tasks.at(Task::thread, row), 0)},
                         begin)
            .first->second;
    first = std::min(first, begin);
  }
  // From the last chunk of one until nine in ten threads of the next have begun theirs; where fewer
  // threads than there were cores and chunks ever did, until its last one.
  std::vector<Selection::TimeRange> between;
  double last = absent;
  for (const auto& [number, call] : calls) {
    std::vector<double> begins;
    for (const auto& [thread, begin] : call.first) begins.push_back(begin);
    std::sort(begins.begin(), begins.end());
    const bool is_short =
        static_cast<double>(begins.size()) < std::min(std::round(f.cores), call.chunks);
    if (last < begins.front())
      between.push_back({last, is_short ? call.last : quantile(begins, 0.9)});
    last = call.last;
  }
  if (between.empty()) return {};
  double seconds = 0;
  for (const Selection::TimeRange& gap : between) seconds += available_in(f, gap);
  for (std::size_t row = 0; row < tasks.size(); ++row) {
    const double begin = tasks.at(Task::begin, row), end = begin + tasks.at(Task::wall, row);
    if (!is_absent(end)) seconds -= overlap_of(between, begin, end);
  }
  // What the client computed meanwhile is a finding of its own.
  for (const ClientFunction& function : client_hour(f.run).functions_of(ClientTime::between_tasks))
    seconds -= f.cores * function.cpu;
  if (!(f.share(seconds) >= least_share)) return {};
  Measurements evidence{{"runs", static_cast<double>(calls.size())}};
  // Merging and opening files are tasks, beside which it may compute as well.
  double computed = 0;
  ClientFunction most;
  for (const Selection::TimeRange& gap : between) {
    for (const ClientFunction& function : client_functions(f.run, gap.begin, gap.end)) {
      computed += function.cpu;
      if (function.cpu > most.cpu) most = function;
    }
  }
  if (most.cpu > 0 && f.cores * computed >= notable * seconds) {
    evidence.push_back({"client", computed, Unit::seconds});
    if (2 * most.cpu > computed)
      evidence.push_back({"function", profile::place_of(*profile::facts_of(f.run), most.frame)});
  }
  return {{.severity = at_most_medium(f.share(seconds)),
           .evidence = std::move(evidence),
           .core_seconds = seconds,
           .gain_core_seconds = seconds}};
}

Lateness::Lateness(const Run& run, double until) {
  using recorded_columns::Machine;
  const auto& rows = run.recording.machine;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.at(Machine::begin, row) > until) continue;
    const double late = rows.at(Machine::lag, row);
    is_recorded = is_recorded || !is_absent(late);
    seconds += value_or(late, 0);
    longest = std::max(longest, value_or(rows.at(Machine::longest_lag, row), 0));
  }
}

double end_of_last_chunk(const Run& run) {
  return run.chunks.placed ? moments(run.chunks.t_end).max : absent;
}

bool stood_still(const RunFacts& f) {
  return f.share(Lateness(f.run, end_of_last_chunk(f.run)).seconds * f.cores) >= least_share;
}

bool stood_still_until(const RunFacts& f, double end) {
  return stood_still(f) && Lateness(f.run, end).seconds >= end / 2 &&
         f.idle.of(IdleCause::starting) > 0;
}

namespace {

/// Whether one process is both, as of a LocalCluster.
bool client_is_in_scheduler(const Run& run) {
  using recorded_columns::Machine;
  const auto& rows = run.recording.machine;
  const auto host_and_pid = [&](std::string_view name) {
    std::pair<StringId, double> found{no_string, absent};
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (run.text(rows.text(Machine::worker, row)) == name)
        found = {rows.text(Machine::host, row), rows.at(Machine::pid, row)};
    return found;
  };
  return host_and_pid("client") == host_and_pid("scheduler");
}

/// [core-s] that cores idled between these times at moments at which the scheduler was late.
double idle_while_late(const RunFacts& f, double begin, double end) {
  using recorded_columns::Machine;
  constexpr double most_bins = 4000;
  const auto count = static_cast<std::size_t>(std::clamp(std::ceil(f.elapsed), 1.0, most_bins));
  const Options options = f.processor == no_string
                              ? Options()
                              : Options(processor_option, std::string(f.run.text(f.processor)));
  const CoreTimeSeries series = core_time_series(f.run, {}, options, count);
  std::vector<double> late(count, 0);
  const auto& rows = f.run.recording.machine;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double from = rows.at(Machine::begin, row), wall = rows.at(Machine::wall, row);
    const double part = rows.at(Machine::lag, row) / wall;
    if (!(part > 0)) continue;
    series.bins.each_overlap(
        std::max(from, begin), std::min(from + wall, end),
        [&](std::size_t bin, double seconds) { late[bin] += part * seconds * f.cores; });
  }
  double idle = 0;
  for (const CoreTimeSeries::Part& one : series.parts) {
    if (one.kind != BudgetPart::Kind::idle) continue;
    for (std::size_t bin = 0; bin < count; ++bin) idle += std::min(late[bin], one.seconds[bin]);
  }
  return idle;
}

}  // namespace

std::vector<Finding> blocked_scheduler(const RunFacts& f) {
  if (!stood_still(f)) return {};
  const double end = end_of_last_chunk(f.run);
  const double first = f.run.chunks.placed ? moments(f.run.chunks.t_start).min : 0;
  const Lateness late(f.run, end);
  double late_at_start = Lateness(f.run, first).seconds;
  // A client that computes in its process holds it up: then it is the client's.
  if (client_is_in_scheduler(f.run)) {
    for (const ClientFunction& function : client_functions(f.run, 0, first))
      late_at_start -= function.cpu;
  }
  const double at_start =
      std::min(std::max(late_at_start, 0.0) * f.cores, f.idle.of(IdleCause::starting));
  double idle = at_start;
  // Tasks that workers had already went on.
  for (const IdleCause why : {IdleCause::between_tasks, IdleCause::nothing_ready,
                              IdleCause::held_back, IdleCause::fetching, IdleCause::tail,
                              IdleCause::after_last, IdleCause::unassigned, IdleCause::unknown})
    idle += f.idle.of(why);
  const double seconds = std::min(
      {at_start + idle_while_late(f, first, end), idle, f.budget.of(BudgetPart::Kind::idle)});
  if (!(f.share(seconds) >= least_share)) return {};
  const bool is_of_start = 2 * at_start >= seconds;
  Selection selection;
  if (is_of_start) selection.time = {0, first};
  Measurements evidence{{"late", late.seconds, Unit::seconds},
                        {"longest", late.longest, Unit::seconds}};
  if (const LoopFunction own = function_in_loop(f.run, CallTree::Kind::scheduler);
      !own.name.empty() && !own.is_of_dask) {
    evidence.push_back({"function", own.name});
    evidence.push_back({"part", own.share, Unit::share});
  }
  // Of a process that stood still with its loop nothing that it computed is to blame.
  using recorded_columns::Machine;
  double cpu = 0, still = 0;
  const auto& rows = f.run.recording.machine;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double lag = rows.at(Machine::lag, row), own = rows.at(Machine::own, row);
    if (!(lag >= rows.at(Machine::wall, row) / 2) || is_absent(own)) continue;
    cpu += own;
    still += lag;
  }
  constexpr double hardly = 0.25;  // of a CPU
  if (2 * still >= late.seconds && cpu < hardly * still)
    evidence.push_back({"cpu", cpu, Unit::seconds});
  else evidence.push_back({"computes", "runs"});
  // Code of the client's that runs beside takes the interpreter's lock from the event loop, and a
  // CPU from tasks that want one.
  const OwnThread thread = own_thread(f, ThreadOf::client);
  const bool is_of_client = client_is_in_scheduler(f.run) && 2 * thread.seconds >= late.seconds;
  const double taken =
      is_of_client
          ? std::min(thread.seconds,
                     value_or(sum_of_rows(f.run, rows_of_chunks(f.run), Task::run_delay), 0))
          : 0;
  if (is_of_client) {
    evidence.push_back({"thread", thread.name});
    evidence.push_back({"place", thread.place});
    evidence.push_back({"seconds", thread.seconds, Unit::seconds});
    if (taken > 0) evidence.push_back({"taken", taken, Unit::seconds});
  }
  return {{.cause = is_of_client ? Cause::client_beside : Cause::blocked_scheduler,
           .severity = at_most_medium(f.share(seconds + taken)),
           .evidence = std::move(evidence),
           .selection = std::move(selection),
           .core_seconds = seconds + taken,
           .is_of_start = is_of_start,
           .gain_core_seconds = seconds + taken}};
}

std::vector<Finding> client_computes(const RunFacts& f) {
  const ClientHour& client = client_hour(f.run);
  const auto facts = profile::facts_of(f.run);
  std::vector<Finding> found;
  for (const ClientTime when :
       {ClientTime::before_tasks, ClientTime::between_tasks, ClientTime::after_tasks}) {
    const std::vector<Selection::TimeRange>& times = client.times_of(when);
    if (times.empty()) continue;
    const bool is_before = when == ClientTime::before_tasks;
    double there = 0, seconds = 0, of_libraries = 0;
    ClientFunction most;
    for (const ClientFunction& function : client.functions_of(when)) {
      // To import, to connect and to make tasks is how each run starts.
      if (is_before && (function.frame == ClientFunction::none ||
                        facts->category[function.frame] != profile::Category::analysis))
        continue;
      seconds += function.cpu;
      if (profile::runs_the_analysis(facts->category[function.frame])) of_libraries += function.cpu;
      if (function.cpu > most.cpu) most = function;
    }
    // Most clients compute too little to matter: cores of each gap are asked for after that.
    if (!(f.share(seconds * f.cores) >= least_share) || !(most.cpu > 0)) continue;
    if (is_before && !start_up(f).empty()) continue;  // it names the function
    for (const Selection::TimeRange& time : times) there += available_in(f, time);
    const double idle = std::min(seconds * f.cores, there);
    if (!(f.share(idle) >= least_share)) continue;
    const bool prepares = 2 * of_libraries > seconds;
    Measurements evidence{{"seconds", seconds, Unit::seconds},
                          {"when", std::string(client_times[static_cast<std::size_t>(when)])}};
    if (2 * most.cpu > seconds) {
      evidence.push_back({"function", profile::place_of(*facts, most.frame)});
      // docs.dask.org, dask.tokenize: a key is a hash of all arguments.
      if (facts->file[most.frame].ends_with("dask/tokenize.py"))
        evidence.push_back({"named", "all that they are given"});
    }
    found.push_back(
        {.cause = prepares ? Cause::client_prepares : Cause::client_computes,
         .severity = at_most_medium(f.share(idle)),
         .evidence = std::move(evidence),
         .selection = {.time = Selection::TimeRange{times.front().begin, times.back().end}},
         .core_seconds = idle,
         .is_of_start = times.front().begin < moments(f.run.chunks.t_start).min,
         .gain_core_seconds = idle});
  }
  return found;
}

namespace {

/// [core-s] of CPU that the run's processes, but for the client's and the scheduler's, used while
/// no task ran; none where they used less than half of a CPU.
double computing_without_tasks(const Run& run) {
  const MachineUse& use = machine_use(run);
  double computing = 0, seconds = 0;
  for (const ClientTime when : {ClientTime::between_tasks, ClientTime::after_tasks}) {
    for (const Selection::TimeRange& gap : client_hour(run).times_of(when)) {
      seconds += gap.end - gap.begin;
      const TickRange ticks = ticks_within(run, gap.begin, gap.end);
      for (std::size_t tick = ticks.begin; tick < ticks.end && !use.own.empty(); ++tick) {
        const double until = tick + 1 < run.ticks.size() ? run.ticks[tick + 1] : gap.end;
        const double cpus =
            use.own[tick] - value_or(use.client[tick], 0) - value_or(use.scheduler[tick], 0);
        computing +=
            std::max(0.0, value_or(cpus, 0)) * (std::min(until, gap.end) - run.ticks[tick]);
      }
    }
  }
  return 2 * computing >= seconds ? computing : 0;
}

}  // namespace

std::vector<Finding> idle_unknown(const RunFacts& f) {
  UnexplainedIdle evidence{.states = f.idle.states};
  double all = 0;
  for (const ExcessPart& part : f.account) {
    if (!part.idle) continue;
    evidence.seconds[static_cast<std::size_t>(*part.idle)] += part.unknown;
    all += part.unknown;
  }
  if (!(f.share(all) >= notable)) return {};
  double without_tasks = 0;
  for (const ClientTime when : {ClientTime::between_tasks, ClientTime::after_tasks}) {
    for (const double seconds : f.idle.without_tasks[static_cast<std::size_t>(when)])
      without_tasks += seconds;
  }
  if (2 * without_tasks >= all) evidence.computing = computing_without_tasks(f.run);
  if (evidence.computing > 0) evidence.in_loop = function_in_loop(f.run, CallTree::Kind::server);
  return {{.severity = at_most_medium(f.share(all)),
           .evidence = evidence,
           .core_seconds = all,
           .rank = all}};
}

}  // namespace crema::diagnose::rules
