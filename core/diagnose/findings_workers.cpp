// Rules about workers: memory, workers lost, late, unresponsive or unbalanced, and their clocks.
#include <algorithm>
#include <array>
#include <functional>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/base/sentence.hpp"
#include "core/diagnose/finding.hpp"
#include "core/runtime/cluster.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::diagnose {

using namespace runtime;

namespace {

std::string worker_name(const Run& run, std::size_t worker) {
  const StringId name = run.workers.name[worker];
  return name == no_string ? std::string(run.text(run.workers.address[worker]))
                           : "worker " + std::string(run.text(name));
}

std::string address(const Run& run, std::size_t worker) {
  return std::string(run.text(run.workers.address[worker]));
}

// Dask pauses a worker at 80 % of its limit and kills it at 95 % (distributed.worker.memory).
constexpr double memory_pause = 0.80;
constexpr double memory_terminate = 0.95;

// What workers said themselves, between heartbeats and where ticks saw nothing.
struct Warned {
  std::string_view kind, id, title, how;
  Severity severity;
};
constexpr std::array<Warned, 3> warned = {{
    {"paused", "memory-near-limit", "Workers paused for lack of memory",
     "Smaller chunks, or more memory per worker, would avoid that", Severity::medium},
    {"collecting", "garbage-collection", "Workers spent much time in garbage collection",
     "Many small Python objects cause that: lists of lists, one object per event", Severity::low},
    {"unresponsive", "unresponsive", "Event loops of workers were blocked",
     "Consistent with code that holds the interpreter lock (GIL), and with swapping",
     Severity::low},
}};

/// What was told of each such warning by itself: the worker that it is about, and how bad it was.
std::string in_numbers(const Facts& f, std::string_view kind, Finding& finding) {
  const Run& run = f.run;
  std::vector<double> sum(run.workers.size(), 0);
  std::vector<double> most(run.workers.size(), 0);
  const auto count = [&](std::size_t worker, double amount, double value) {
    if (worker == sum.size()) return;
    sum[worker] += value_or(amount, 0);
    most[worker] = std::max(most[worker], value_or(value, 0));
  };
  if (kind == "paused") {
    for (const Pause& pause : pauses_of(run))
      count(pause.worker, pause.end - pause.begin, pause.share);
  } else {
    for (const WorkerEvent& event : run.worker_events) {
      if (event.kind == kind) count(run.workers.find(event.worker), event.value, event.value);
    }
  }
  const auto top = std::max_element(sum.begin(), sum.end());
  if (top == sum.end() || !(*top > 0)) return {};
  const auto worst = static_cast<std::size_t>(top - sum.begin());
  finding.selection.workers = {address(run, worst)};
  const std::string who = worker_name(run, worst);
  if (kind == "collecting")
    return who + " spent up to " + format_percent(most[worst]) + " of its CPU time on it at once. ";
  if (kind == "unresponsive")
    return who + " was blocked for " + format_seconds(*top) + " in total, at most for " +
           format_seconds(most[worst]) + ". ";
  const Run::Window window = run.window();
  const IdleTime idle =
      find_idle(run, WorkerSelection(run, {}), f.processor, window.begin, window.end);
  const double idled = idle.seconds[static_cast<std::size_t>(IdleCause::paused)];
  finding.core_seconds = finding.stake = idled > 0 ? idled : absent;
  return who + " was paused for " + format_seconds(*top) + " at " + format_percent(most[worst]) +
         " of its memory" +
         (idled > 0 ? "; cores of paused workers idled for " + format_core_seconds(idled) : "") +
         ". ";
}

std::vector<Finding> worker_warnings(const Facts& f) {
  std::vector<Finding> found;
  for (const Warned& one : warned) {
    for (const Warning& warning : f.run.warnings) {
      if (warning.kind != one.kind || !(warning.times > 0)) continue;
      Finding finding;
      finding.id = one.id;
      finding.severity = one.severity;
      finding.title = one.title;
      finding.evidence = in_numbers(f, one.kind, finding);
      finding.evidence += sentence({format_count(warning.times, "time"), " by their logs, on ",
                                    format_count(warning.workers, "worker"), "; the first: \"",
                                    warning.first, "\". ", one.how, "."});
      finding.view = "Timelines";
      found.push_back(std::move(finding));
    }
  }
  return found;
}

bool has_warning(const Run& run, std::string_view kind) {
  return std::any_of(run.warnings.begin(), run.warnings.end(),
                     [&](const Warning& w) { return w.kind == kind && w.times > 0; });
}

std::vector<Finding> memory_near_limit(const Facts& f) {
  const Run& run = f.run;
  if (has_warning(run, "paused")) return {};  // they said so themselves
  double peak = 0, peak_bytes = 0;
  std::size_t above = 0, worst = 0;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    double own = 0;
    const TickSeries& memory = run.workers.of(Series::memory, w);
    for (std::size_t i = 0; i < memory.values.size(); ++i) {
      const double limit = run.workers.of(Series::memory_limit, w).at(memory.first_tick + i);
      if (!(limit > 0) || !(memory.values[i] / limit > own)) continue;
      own = memory.values[i] / limit;
      if (own > peak) {
        peak = own;
        peak_bytes = memory.values[i];
        worst = w;
      }
    }
    if (own >= memory_pause) ++above;
  }
  if (!(peak >= memory_pause)) return {};
  Selection selection;
  selection.workers = {address(run, worst)};
  return {{"memory-near-limit", peak >= memory_terminate ? Severity::high : Severity::medium,
           format_count(static_cast<double>(above), "worker") + " came near the memory limit",
           worker_name(run, worst) + " reached " + format_memory(peak_bytes) + ", " +
               format_percent(peak) +
               " of its limit. Dask pauses a worker at 80 % and restarts it at 95 %: smaller "
               "chunks, or more memory per worker, "
               "would avoid that.",
           absent, "Timelines", selection}};
}

/// Workers that were seen and left before the end, in the run's order.
struct LostWorkers {
  std::vector<std::size_t> workers;
  double seen = 0;  ///< a worker that only a profile or scheduler info names was not

  explicit LostWorkers(const Run& run) {
    for (std::size_t w = 0; w < run.workers.size(); ++w) {
      const TickRange range = ticks_of(run.workers, w);
      if (range.end > 0) seen += 1;
      if (range.end > 0 && range.end < run.ticks.size()) workers.push_back(w);
    }
  }

  /// "worker 1 at 5.01 s, worker 4 at 12 s, …"
  std::string when(const Run& run) const {
    std::string text;
    for (std::size_t k = 0; k < workers.size() && k < most_named; ++k) {
      text += (k == 0 ? "" : ", ") + worker_name(run, workers[k]) + " at " +
              format_seconds(run.ticks[ticks_of(run.workers, workers[k]).end - 1]);
    }
    return workers.size() > most_named ? text + ", …" : text;
  }

  Selection selection(const Run& run) const {
    Selection selection;
    for (const std::size_t w : workers) selection.workers.push_back(address(run, w));
    return selection;
  }

  static constexpr std::size_t most_named = 5;
};

// A lost chunk or two at the estimate's edge is no finding.
constexpr double worth_losing = 0.01;

bool is_work_lost(const Facts& f) {
  return f.lost.repeated >= 1 && f.share(f.lost.core_seconds) >= worth_losing;
}

std::vector<Finding> lost_work(const Facts& f) {
  if (!is_work_lost(f)) return {};
  const double share = f.share(f.lost.core_seconds);
  const LostWorkers left(f.run);
  const bool is_known = !left.workers.empty();
  Finding finding;
  finding.id = "lost-work";
  finding.severity = share >= 0.25   ? Severity::high
                     : share >= 0.10 ? Severity::medium
                                     : Severity::low;
  finding.title =
      sentence({(is_known ? format_count(static_cast<double>(left.workers.size()), "worker") +
                                (left.workers.size() == 1 ? " was lost: " : " were lost: ")
                          : ""),
                format_percent(share), " of the core-time was work done again"});
  finding.evidence = sentence(
      {format_count(f.lost.repeated, "execution"), " of ", format_number(f.lost.executions),
       " were repeated (", (f.lost.exact ? "from the task stream" : "estimated"),
       "): when a worker is lost or leaves, the results it holds are computed again."});
  if (is_known) finding.evidence += sentence({" Last seen: ", left.when(f.run), "."});
  finding.gain_core_seconds = f.lost.core_seconds;
  finding.view = "Timelines";
  if (is_known) finding.selection = left.selection(f.run);
  return {std::move(finding).at_most(f.won_by_losing_nothing())};
}

std::vector<Finding> workers_lost(const Facts& f) {
  const LostWorkers left(f.run);
  // Where work was lost with them, that is the finding.
  if (left.workers.empty() || is_work_lost(f)) return {};
  const auto count = static_cast<double>(left.workers.size());
  return {{"workers-lost", count >= 0.1 * left.seen ? Severity::medium : Severity::low,
           format_count(count, "worker") + " left before the end",
           "Of " + format_number(left.seen) + " seen; last seen: " + left.when(f.run) +
               ". Scaling down, a time limit of the batch system and a crash look the same here.",
           absent, "Timelines", left.selection(f.run)}};
}

// Workers that connect within a few seconds of the first one are usual; the cores that were not
// there later must be worth a line.
constexpr double usual_delay = 3;  // [s]
constexpr double worth_waiting_for = 0.05;

std::vector<Finding> late_workers(const Facts& f) {
  const Run& run = f.run;
  // Who comes after another left replaces it.
  if (!LostWorkers(run).workers.empty() || run.ticks.empty()) return {};
  double first = absent;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end > 0 && !(first <= run.ticks[range.begin])) first = run.ticks[range.begin];
  }
  double missing = 0, threads = 0, last = 0;
  std::vector<std::size_t> late;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end == 0) continue;
    const double came = run.ticks[range.begin];
    if (!(came - first > usual_delay)) continue;
    const double own = value_or(nthreads_at(run, w, range.begin), 0);
    late.push_back(w);
    missing += own * (came - first);
    threads += own;
    last = std::max(last, came);
  }
  if (!(f.share(missing) >= worth_waiting_for)) return {};
  Finding finding;
  finding.id = "late-workers";
  finding.severity = f.share(missing) >= 0.10 ? Severity::medium : Severity::low;
  finding.title = sentence({format_count(static_cast<double>(late.size()), "worker"),
                            (late.size() == 1 ? " came late, at " : " came late, the last one at "),
                            format_seconds(last)});
  finding.evidence =
      sentence({"The first worker arrived at ", format_seconds(first), "; until ",
                format_seconds(last), " up to ", format_count(threads, "core"),
                (threads == 1 ? " was" : " were"), " missing: ", format_core_seconds(missing),
                " in total. The run waited for cores, not for work: start the workers "
                "before it, or wait for them (client.wait_for_workers)."});
  finding.gain_core_seconds = missing;
  finding.view = "Timelines";
  finding.selection.time = Selection::TimeRange{first, last};
  return {std::move(finding).at_most(f.won_by_starting_at_once())};
}

std::vector<Finding> clock_skew(const Facts& f) {
  std::vector<Finding> found;
  for (const DataNote& note : f.run.data_notes) {
    if (note.id == "chunks-outside-run" || note.id == "chunks-outside-tasks") {
      found.push_back({"clock-skew",
                       Severity::low,
                       "Clocks disagree: chunks lie outside the run or their tasks",
                       "It slows nothing down: " + note.message + ".",
                       absent,
                       "Data notes",
                       {}});
    }
    if (note.id != "worker-clock") continue;
    const std::size_t colon = note.message.find(": ");
    found.push_back(
        {"clock-skew",
         Severity::low,
         "Clocks disagree: " + note.message.substr(0, colon),
         "It slows nothing down. " +
             (colon == std::string::npos ? note.message : "I" + note.message.substr(colon + 3)) +
             ".",
         absent,
         "Data notes",
         {}});
  }
  return found;
}

/// Results that depend on the worker: worth acting on before whatever takes time.
std::vector<Finding> other_versions(const Facts& f) {
  std::vector<Finding> found;
  for (const DataNote& note : f.run.data_notes) {
    const bool versions = note.id == "versions-differ";
    if (!versions && note.id != "settings-differ") continue;
    found.push_back(
        {note.id,
         Severity::medium,
         versions ? "Workers run different versions" : "Workers have different settings",
         "According to the recorder, " + note.message +
             ". The same chunk may give different results, or take a different time, on another "
             "worker.",
         absent,
         "Data notes",
         {}});
  }
  return found;
}

std::vector<Finding> unresponsive(const Facts& f) {
  const Run& run = f.run;
  if (is_absent(run.clock.zone_offset) || has_warning(run, "unresponsive")) return {};
  std::size_t count = 0, worst = 0;
  double most = 0, at = 0;
  const double interval = heartbeat_interval(run);
  // Three heartbeats missed, and long enough not to be the ticks' own grain.
  const double limit = std::max(3 * interval, 3.0);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    double own = 0;
    const TickSeries& seen = run.workers.of(Series::last_seen, w);
    for (std::size_t i = 0; i < seen.values.size(); ++i) {
      if (!(seen.values[i] > 0)) continue;  // not heard of yet
      const double lag = run.clock.zero_epoch + run.ticks[seen.first_tick + i] - seen.values[i];
      if (lag > own) own = lag;
      if (lag > most) {
        most = lag;
        worst = w;
        at = run.ticks[seen.first_tick + i];
      }
    }
    if (own > limit) ++count;
  }
  if (count == 0) return {};
  Selection selection;
  selection.time = Selection::TimeRange{std::max(0.0, at - most), at};
  selection.workers = {address(run, worst)};
  return {{"unresponsive", most > 10 * limit ? Severity::medium : Severity::low,
           format_count(static_cast<double>(count), "worker") + " did not answer for more than " +
               format_seconds(limit),
           worker_name(run, worst) + " was silent for " + format_seconds(most) + " before " +
               format_seconds(at) + "; a heartbeat is due every " + format_seconds(interval) +
               ". Consistent with a task that holds the GIL, with swapping, and with a lost "
               "connection.",
           absent, "Timelines", selection}};
}

// Workers that were there (nearly) all the time and ran tasks for very different shares of it.
constexpr double unbalanced_spread = 0.3;

std::vector<Finding> unbalanced(const Facts& f) {
  const Run& run = f.run;
  std::vector<std::pair<double, std::size_t>> busy;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (static_cast<double>(range.end - range.begin) < 0.9 * static_cast<double>(run.ticks.size()))
      continue;
    const Moments executing = moments(run.workers.of(Series::executing, w).values);
    const double share = ratio(executing.mean, nthreads_at(run, w, range.begin));
    if (!is_absent(share)) busy.emplace_back(share, w);
  }
  if (busy.size() < 3) return {};
  sort_stably(busy, std::less<>());
  double mean = 0;
  for (const auto& [share, w] : busy) mean += share / static_cast<double>(busy.size());
  const double spread = (busy.back().first - busy.front().first) / mean;
  if (!(spread >= unbalanced_spread)) return {};
  double cost = 0;
  for (const auto& [share, w] : busy)
    cost += (busy.back().first - share) * run.window().end * value_or(nthreads_at(run, w, 0), 1);
  Selection selection;
  selection.workers = {address(run, busy.front().second), address(run, busy.back().second)};
  return {Finding{"unbalanced", Severity::low, "Workers were unequally busy",
                  worker_name(run, busy.front().second) + " ran tasks " +
                      format_percent(busy.front().first) + " of the time, " +
                      worker_name(run, busy.back().second) + " " +
                      format_percent(busy.back().first) + " (as of the last heartbeats).",
                  cost, "Timelines", selection}
              .at_most(f.won_without_gaps())};
}

}  // namespace

const std::vector<Rule>& worker_rules() {
  static const std::vector<Rule> rules = {worker_warnings, memory_near_limit, lost_work,
                                          workers_lost,    late_workers,      clock_skew,
                                          other_versions,  unresponsive,      unbalanced};
  return rules;
}

}  // namespace crema::diagnose
