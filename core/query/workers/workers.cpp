// Each worker: `workers`, and when which came and went: `worker_changes`.
#include "core/base/order.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/query/question.hpp"
#include "core/report/answer_text.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::query::workers {

struct Presence {
  TickRange ticks;
  double first = absent;  // [s] run axis
  double last = absent;
  bool left_early = false;
};

static std::vector<Presence> presences(const Run& run) {
  std::vector<Presence> found(run.workers.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].ticks = ticks_of(run.workers, i);
    if (found[i].ticks.end == 0) continue;
    found[i].first = run.ticks[found[i].ticks.begin];
    found[i].last = run.ticks[found[i].ticks.end - 1];
    found[i].left_early = !run.ticks_of_busy_workers && found[i].ticks.end < run.ticks.size();
  }
  return found;
}

// A worker that first shows within this time of another's end on the same host is taken for its
// restart: a nanny needs about two seconds, and a tick may be missed.
constexpr double restart_within = 5;

/// For each worker, the worker it replaced (a guess unless the names are equal): of those that left
/// before it came the last; workers.size() = none.
static std::vector<std::size_t> restarts(const Run& run, const std::vector<Presence>& present) {
  const Workers& w = run.workers;
  const std::size_t none = w.size();
  std::vector<std::size_t> from(none, none), came, left;
  for (std::size_t i = 0; i < none; ++i) {
    if (present[i].ticks.end > 0 && present[i].ticks.begin > 0) came.push_back(i);
    if (present[i].left_early) left.push_back(i);
  }
  sort_stably(came,
              [&](std::size_t a, std::size_t b) { return present[a].first < present[b].first; });
  const auto is_same = [](StringId a, StringId b) { return a == b && a != no_string; };
  for (const std::size_t worker : came) {
    const double first = present[worker].first;
    std::size_t& best = from[worker];
    for (const std::size_t old : left) {
      const double last = present[old].last;
      const bool is_near = is_same(w.host[old], w.host[worker]) && last >= first - restart_within;
      if (last <= first && (is_near || is_same(w.name[old], w.name[worker])) && old != worker &&
          (best == none || last > present[best].last))
        best = old;
    }
    std::erase(left, best);
  }
  return from;
}

/// What a worker's ticks come to, and its tasks' memory.
struct Level {
  double memory_mean, memory_peak, cpu_mean, active_mean, executing_mean;
};

static std::vector<Level> levels_in(const Run& run, const Selection& selection) {
  using Per = WorkerSeries::Per;
  const TickRange ticks = selected_ticks(run, selection);
  const std::vector<double> of_tasks = peaks_of_tasks(run, selection);
  std::vector<Level> levels;
  for (std::size_t worker = 0; worker < run.workers.size(); ++worker) {
    const auto of = [&](Series which, Per per = Per::worker) {
      return WorkerSeries{which, per}.moments(run, worker, ticks);
    };
    const Moments memory = of(Series::memory);
    levels.push_back({memory.mean, std::fmax(memory.max, of_tasks[worker]),
                      of(Series::cpu, Per::thread).mean, of(Series::active_tasks).mean,
                      of(Series::executing).mean});
  }
  return levels;
}

/// Over the whole run, kept by it.
static const std::vector<Level>& levels_of(const Run& run) {
  return run.facts.of<Once<std::vector<Level>>>().of([&] { return levels_in(run, {}); });
}

/// What each worker did over the whole run, and which were slow: those that a finding names as much
/// as it says.
struct Work {
  std::vector<WorkerWork> of;
  std::vector<bool> is_slow, tells;  ///< whether it is; whether that can be said
  std::vector<std::string> why;
  bool is_known;  ///< there are enough workers to say that none was

  Work(const Run& run, StringId processor) : of(worker_work(run, processor)) {
    const double slow = slow_from(of);
    is_known = !std::isinf(slow);
    const std::map<std::string_view, double> named = anomaly_factors(run, Anomaly::Kind::worker);
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double* const found = found_in(named, run.text(run.workers.address[i]));
      if (found != nullptr) of[i].times_others = *found;
      const bool is_named = found != nullptr, has_enough = of[i].chunks >= least_chunks_of_worker;
      is_slow.push_back(is_named || (has_enough && of[i].times_others > slow));
      tells.push_back(is_named || (has_enough && is_known && !is_absent(of[i].times_others)));
      why.push_back(slow_worker_text(of[i], is_named, slow));
    }
  }
};

/// Over the whole run.
static WorkersSeen seen_of(const Run& run, const std::vector<Presence>& present, const Work& work) {
  WorkersSeen seen{.workers = static_cast<double>(present.size())};
  std::vector<double> slow_ones, all;
  for (std::size_t i = 0; i < work.of.size(); ++i) {
    const WorkerWork& one = work.of[i];
    seen.executions += value_or(one.executions, 0);
    seen.lost += value_or(one.lost, 0);
    if (one.chunks < least_chunks_of_worker || is_absent(one.times_others)) continue;
    all.push_back(one.times_others);
    if (work.is_slow[i]) slow_ones.push_back(one.times_others);
  }
  seen.compared = static_cast<double>(all.size());
  seen.is_known = work.is_known || !slow_ones.empty();
  const Moments times = moments(slow_ones.empty() ? all : slow_ones);
  seen.slow = static_cast<double>(slow_ones.size());
  seen.least = times.min;
  seen.most = times.max;
  for (std::size_t i = 0; i < present.size(); ++i) {
    seen.left += present[i].left_early ? 1 : 0;
    const double limit = runtime::memory_limit(run, i);
    if (limit > 0)
      seen.memory_share = std::fmax(seen.memory_share, levels_of(run)[i].memory_peak / limit);
  }
  return seen;
}

/// [s] of an event in the chunks that each worker ran.
static std::map<StringId, double> event_seconds(const Run& run) {
  std::map<StringId, std::pair<double, double>> sums;
  for (std::size_t i = 0; i < run.chunks.worker.size(); ++i) {
    auto& [seconds, events] = sums[run.chunks.worker[i]];
    if (is_absent(run.chunks.duration[i] * run.chunks.events[i])) continue;
    seconds += run.chunks.duration[i];
    events += run.chunks.events[i];
  }
  std::map<StringId, double> found;
  for (const auto& [worker, sum] : sums) found[worker] = ratio(sum.first, sum.second);
  return found;
}

/// A worker that is shown; what its ticks come to is of the selected time, its work of the run.
struct Shown {
  std::string_view address, name, host, job, restarted_from;
  double nthreads, memory_limit;
  double first, last;
  double seconds_per_event;
  Level level;
  double joined_late, left_early;
  WorkerWork work;
  double slow;
  std::string_view why;
};

const Columns<Shown> columns = {
    {"worker", &Shown::address},
    {"name", &Shown::name},
    {"host", &Shown::host},
    {"job", &Shown::job},
    {"nthreads", "count", &Shown::nthreads},
    {"memory_limit", "byte", &Shown::memory_limit, "0 means no limit"},
    {"first_seen", "s", &Shown::first},
    {"last_seen", "s", &Shown::last},
    {"memory_mean", "byte", [](const Shown& s) { return s.level.memory_mean; }, "mean over ticks"},
    {"memory_peak", "byte", [](const Shown& s) { return s.level.memory_peak; },
     "largest tick, or most in a task, where rows tell it"},
    {"cpu_mean", "1", [](const Shown& s) { return s.level.cpu_mean; },
     "mean over ticks of process CPU / nthreads"},
    {"active_mean", "count", [](const Shown& s) { return s.level.active_mean; }, "mean over ticks"},
    {"executing_mean", "count", [](const Shown& s) { return s.level.executing_mean; },
     "mean over ticks"},
    {"joined_late", as_flag, &Shown::joined_late,
     "the series begin after those of the first worker"},
    {"left_early", as_flag, &Shown::left_early, "the series end before the last tick"},
    {"restarted_from", &Shown::restarted_from},
    {"executions", "count", [](const Shown& s) { return s.work.executions; },
     "of the processor, in the task stream, over the whole run"},
    {"lost", "count", [](const Shown& s) { return s.work.lost; },
     "executions that were done again"},
    {"chunks", "count", [](const Shown& s) { return s.work.chunks; },
     "matched to the worker's tasks by time, over the whole run"},
    {"times_others", "1", [](const Shown& s) { return s.work.times_others; }, times_others_formula},
    {"slow", as_flag, &Shown::slow,
     "a finding names it, or times_others is more than 3 robust spreads, and 10 %, above 1; "
     "missing below 5 chunks, and of fewer than 3 workers"},
    {"slow_why", &Shown::why},
    {"seconds_per_event", "s", &Shown::seconds_per_event,
     "Σ duration / Σ events of its chunks, over the whole run"},
};

static Table answer(const Run& run, const Selection& selection, const Options& options) {
  const Workers& w = run.workers;
  const WorkerSelection chosen(run, selection);
  const std::vector<Presence> present = presences(run);
  const std::vector<std::size_t> from = restarts(run, present);
  double first = absent;
  for (const Presence& one : present) first = std::fmin(first, one.first);
  const Work work(run, find_processor(run, options).prefix);
  const std::map<StringId, double> pace = event_seconds(run);
  const std::vector<Level> levels = selection.time ? levels_in(run, selection) : levels_of(run);
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto own = pace.find(w.address[i]);
    const Presence& here = present[i];
    const bool tracked = !is_absent(here.first);
    const bool is_outside = selection.time && tracked &&
                            (here.first > selection.time->end || here.last < selection.time->begin);
    if (!chosen[i] || is_outside) continue;
    const bool is_told = i < work.of.size();
    const WorkerWork of = is_told ? work.of[i] : WorkerWork{.chunks = absent};
    const auto if_tracked = [&](bool is_so) {
      return !tracked || run.ticks_of_busy_workers ? absent : is_so ? 1.0 : 0.0;
    };
    shown.push_back(
        {.address = run.text(w.address[i]),
         .name = run.text(w.name[i]),
         .host = run.text(w.host[i]),
         .job = run.text(w.job[i]),
         .restarted_from = from[i] == w.size() ? std::string_view{} : run.text(w.address[from[i]]),
         .nthreads = tracked ? nthreads_at(run, i, here.ticks.end - 1) : w.nthreads[i],
         .memory_limit = runtime::memory_limit(run, i),
         .first = here.first,
         .last = here.last,
         .seconds_per_event = own == pace.end() ? absent : own->second,
         .level = levels[i],
         .joined_late = if_tracked(here.first > first),
         .left_early = if_tracked(here.left_early),
         .work = of,
         .slow = !is_told || !work.tells[i] ? absent
                 : work.is_slow[i]          ? 1.0
                                            : 0.0,
         .why = is_absent(of.times_others) ? std::string_view{} : std::string_view(work.why[i])});
  }
  Table table = columns.table(shown);
  if (!present.empty()) {
    const VerdictText text = workers_text(seen_of(run, present, work));
    table.note("verdict", text.verdict);
    table.note("limits", text.limits);
  }
  if (!run.tracked && run.ticks.empty()) say(table, notes::no_tracking);
  say(table, notes::restarts_are_guessed);
  return table;
}

extern const Question question("workers",
                               "each worker: when it was there, memory, CPU, what it executed",
                               columns, answer,
                               {.options = {&processor_option}, .narrowed_by = worker_dimensions});

}  // namespace crema::query::workers

namespace crema::query::worker_changes {

using recorded_columns::Change;

template <Change of>
constexpr auto text = [](std::size_t i, const Run* const& run) {
  return run->text(run->recording.changes.text(of, i));
};
template <Change of>
constexpr auto number =
    [](std::size_t i, const Run* const& run) { return run->recording.changes.at(of, i); };

const Columns<std::size_t, const Run*> columns = {
    {"t", "s", number<Change::begin>},
    {"worker", text<Change::worker>},
    {"change", text<Change::change>},
    {"reason", text<Change::reason>},
    {"workers", "count", number<Change::workers>, "that there are since"},
};

static Table answer(const Run& run, const Selection&, const Options&) {
  Table table = columns.table(run.recording.changes.size(), &run);
  if (run.recording.changes.size() == 0) say(table, notes::no_worker_changes);
  return table;
}

extern const Question question(
    "worker_changes",
    "each worker that came or went: when, and why, as Dask or a manager's log says", columns,
    answer);

}  // namespace crema::query::worker_changes
