#include "core/runtime/core_time.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/order.hpp"
#include "core/runtime/chunks.hpp"
#include "core/runtime/cluster.hpp"

namespace crema::runtime {

namespace {

struct IdleSpan {
  double from, until;
};

/// How many tasks there were: a number that changes at times, in order.
class Level {
 public:
  void change(double when, double by) { steps_.emplace_back(when, now_ += by); }
  /// At `from`; `until` becomes the time of its next change, where that is sooner.
  double at(double from, double& until) const {
    const auto next = std::upper_bound(steps_.begin(), steps_.end(), from,
                                       [](double t, const auto& step) { return t < step.first; });
    if (next != steps_.end()) until = std::min(until, next->first);
    return next == steps_.begin() ? 0 : (next - 1)->second;
  }

 private:
  std::vector<std::pair<double, double>> steps_;
  double now_ = 0;
};

/// Whether there were any tasks. Their number changes with each, this far less often: a worker that
/// idles for long sees few changes of it.
class Presence {
 public:
  void change(double when, double by) {
    const bool was = now_ > 0;
    now_ += by;
    if (was != (now_ > 0)) flips_.push_back(when);
  }
  /// At `from`; `until` as above.
  bool at(double from, double& until) const {
    const auto next = std::upper_bound(flips_.begin(), flips_.end(), from);
    if (next != flips_.end()) until = std::min(until, *next);
    return (next - flips_.begin()) % 2 != 0;
  }

 private:
  std::vector<double> flips_;  // to some, to none, and so on
  double now_ = 0;
};

/// What the scheduler had to do, and whom it did not ask: exact where recorded.
struct Known {
  explicit Known(const Run& run)
      : assigned(run.workers.size()), paused(run.workers.size()), starting(run.workers.size()) {
    const TaskStates& states = run.task_states;
    std::vector<double> tasks(run.workers.size(), 0);  // assigned to each
    if (!states.t.empty()) since = states.t.front();
    for (std::size_t i = 0; i < states.t.size(); ++i) {
      const std::string_view state = run.text(states.state[i]);
      if (state == "queued" || state == "no-worker") ready.change(states.t[i], states.tasks[i]);
      const std::size_t w = run.workers.find(states.worker[i]);
      if (w == run.workers.size()) continue;
      if (state == "processing") {
        const double before = surplus_of(run, w, tasks[w]);
        assigned[w].change(states.t[i], states.tasks[i]);
        tasks[w] += states.tasks[i];
        surplus.change(states.t[i], surplus_of(run, w, tasks[w]) - before);
      }
      if (state != "library-starting") continue;
      starting[w].change(states.t[i], states.tasks[i]);
      any_library = true;
    }
    for (const Pause& pause : pauses_of(run)) {
      paused[pause.worker].change(pause.begin, 1);
      paused[pause.worker].change(pause.end, -1);
    }
  }

  /// Tasks that a worker was assigned beyond its threads and one more, which Dask holds ready.
  static double surplus_of(const Run& run, std::size_t worker, double tasks) {
    return std::max(0.0, tasks - value_or(run.workers.nthreads[worker], tasks) - 1);
  }

  Presence ready;                          // for any worker
  Presence surplus;                        // of all workers
  std::vector<Level> assigned;             // by worker
  std::vector<Presence> paused, starting;  // likewise; the last: libraries
  double since = absent;                   // [s] from when on states are known
  bool any_library = false;
};

/// Sorts a worker's idle time by its causes.
class Gaps {
 public:
  Gaps(const Run& run, double begin, double end, double last_began, double last_ended,
       IdleTime& into)
      : run_(run),
        begin_(begin),
        end_(end),
        last_began_(last_began),
        last_ended_(std::max(last_began, last_ended)),
        into_(into),
        client_(client_hour(run)),
        is_client_seen_(run.recording.client.size() > 0),
        known_(run) {
    into_.states = !is_absent(known_.since);
  }

  /// Its gaps follow in order of time; `transfers` are in order of their begin.
  void of_worker(std::size_t worker, double first_task, std::vector<IdleSpan> transfers = {}) {
    worker_ = worker;
    first_task_ = first_task;
    transfers_ = std::move(transfers);
    next_transfer_ = 0;
  }

  /// It had run its last task at `from`, and left at `to`.
  void leave(double from, double to, double cores) {
    if (cores > 0) put(IdleCause::leaving, from, std::min(to, last_began_), cores);
    if (cores > 0) put_end(std::max(from, last_began_), to, cores);
  }

  /// `cores` had nothing to run from `from` to `to`, while `busy` others had.
  void add(double from, double to, double cores, double busy, bool is_whole_gap) {
    if (!(cores > 0) || !(to > from)) return;
    const bool is_short = is_whole_gap && to - from < short_gap;
    const double start_until = std::clamp(first_task_, from, to);
    const double tail_from = std::clamp(last_began_, start_until, to);
    by_moment(from, start_until, cores, [&](double moment, double& until) {
      const double here = known_.assigned[worker_].at(moment, until);
      return waits_for_library(moment, until)                   ? IdleCause::library
             : here <= busy && known_.surplus.at(moment, until) ? IdleCause::elsewhere
                                                                : IdleCause::starting;
    });
    put_end(tail_from, to, cores);
    double at = start_until;
    const auto rest = [&](double until) {
      if (is_short) put(IdleCause::between_tasks, at, until, cores);
      else
        by_moment(at, until, cores,
                  [&](double moment, double& next) { return cause_at(moment, busy, next); });
    };
    for (; next_transfer_ < transfers_.size() && transfers_[next_transfer_].from < tail_from;
         ++next_transfer_) {
      const IdleSpan& one = transfers_[next_transfer_];
      const double begin = std::max(one.from, at), end = std::min(one.until, tail_from);
      if (!(end > begin)) continue;
      rest(begin);
      put(IdleCause::fetching, begin, end, cores);
      at = end;
      if (one.until > tail_from) break;  // it goes on in the next gap
    }
    rest(tail_from);
  }

 private:
  void put(IdleCause cause, double from, double to, double cores) {
    from = std::max(from, begin_);
    to = std::min(to, end_);
    if (!(to > from)) return;
    const auto place = static_cast<std::size_t>(cause);
    into_.seconds[place] += cores * (to - from);
    for (std::size_t when = 0; when < into_.without_tasks.size() && is_client_seen_; ++when)
      into_.without_tasks[when][place] += cores * overlap_of(client_.times[when], from, to);
  }

  /// After the last task of the processor had begun.
  void put_end(double from, double to, double cores) {
    put(IdleCause::tail, from, std::min(to, last_ended_), cores);
    put(IdleCause::after_last, std::max(from, last_ended_), to, cores);
  }

  template <class CauseAt>
  void by_moment(double from, double to, double cores, const CauseAt& cause_of) {
    while (from < to) {
      double until = to;
      const IdleCause cause = cause_of(from, until);
      if (!(until > from)) until = to;  // changes of a file that are not in order
      put(cause, from, until, cores);
      from = until;
    }
  }

  /// Whether tasks wait for a library that starts on the worker, and until when at most that holds.
  bool waits_for_library(double from, double& until) const {
    if (!known_.any_library) return false;
    const bool starts = known_.starting[worker_].at(from, until);
    return known_.ready.at(from, until) && starts;
  }

  /// Why a core was idle at `from`, and until when at most that holds.
  IdleCause cause_at(double from, double busy, double& until) const {
    if (known_.paused[worker_].at(from, until)) return IdleCause::paused;
    if (waits_for_library(from, until)) return IdleCause::library;
    if (known_.since <= from) {
      const double here = known_.assigned[worker_].at(from, until);
      const bool ready = known_.ready.at(from, until);
      return here > busy                      ? IdleCause::held_back
             : ready                          ? IdleCause::unassigned
             : known_.surplus.at(from, until) ? IdleCause::elsewhere
                                              : IdleCause::nothing_ready;
    }
    if (known_.since > from) until = std::min(until, known_.since);
    const std::vector<double>& ticks = run_.ticks;
    const auto next = std::upper_bound(ticks.begin(), ticks.end(), from);
    if (next != ticks.end()) until = std::min(until, *next);
    const auto tick = static_cast<std::size_t>(next - ticks.begin());
    if (tick == 0) return IdleCause::unknown;
    const double here = run_.workers.of(Series::active_tasks, worker_).at(tick - 1);
    const double running = run_.workers.of(Series::executing, worker_).at(tick - 1);
    return is_absent(here) || is_absent(running) ? IdleCause::unknown
           : here > running                      ? IdleCause::held_back
                                                 : IdleCause::nothing_ready;
  }

  const Run& run_;
  double begin_, end_, last_began_, last_ended_;
  IdleTime& into_;
  const ClientHour& client_;
  const bool is_client_seen_;
  std::size_t worker_ = 0;
  double first_task_ = 0;
  std::vector<IdleSpan> transfers_;
  std::size_t next_transfer_ = 0;
  Known known_;
};

/// From when to when a worker was there.
IdleSpan stay_of(const Run& run, std::size_t worker) {
  const Run::Window window = run.window();
  const TickRange ticks = ticks_of(run.workers, worker);
  if (ticks.end == 0) return {window.begin, run.ticks.empty() ? window.end : window.begin};
  return {ticks.begin == 0 ? window.begin : run.ticks[ticks.begin],
          ticks.end < run.ticks.size() ? run.ticks[ticks.end] : window.end};
}

double threads_of(const Run& run, std::size_t worker) {
  const TickRange ticks = ticks_of(run.workers, worker);
  double threads = run.workers.nthreads[worker];
  for (std::size_t tick = ticks.end; tick-- > ticks.begin && is_absent(threads);)
    threads = nthreads_at(run, worker, tick);
  return value_or(threads, 0);
}

/// The gaps between the tasks of each worker.
void by_stream(const Run& run, const WorkerSelection& workers, StringId processor, double begin,
               double end, IdleTime& idle) {
  const Tasks& tasks = run.tasks;
  const auto is_wanted = [&](StringId prefix) {
    return processor == no_string || prefix == processor;
  };
  const StringId compute = run.names->strings.find("compute");
  const StringId transfer = run.names->strings.find("transfer");
  std::vector<std::vector<IdleSpan>> transfers(run.workers.size());
  // What each worker began and ended, in order.
  std::vector<std::vector<std::pair<double, double>>> changes(run.workers.size());
  std::vector<double> first(run.workers.size(), absent);
  double last_began = absent, last_ended = absent;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const bool computes = tasks.action[i] == compute;
    if (!(computes || tasks.action[i] == transfer) || is_absent(tasks.t0[i] + tasks.t1[i]))
      continue;
    const bool is_of_processor = computes && is_wanted(tasks.prefix[i]);
    if (is_of_processor) {
      last_began = std::fmax(last_began, tasks.t0[i]);
      last_ended = std::fmax(last_ended, tasks.t1[i]);
    }
    const std::size_t w = run.workers.find(tasks.worker[i]);
    if (w == run.workers.size() || !workers[w]) continue;
    if (!computes) {
      transfers[w].push_back({tasks.t0[i], tasks.t1[i]});
      continue;
    }
    changes[w].emplace_back(tasks.t0[i], 1);
    changes[w].emplace_back(tasks.t1[i], -1);
    if (is_of_processor && !(first[w] <= tasks.t0[i])) first[w] = tasks.t0[i];
  }
  Gaps gaps(run, begin, end, value_or(last_began, end), value_or(last_ended, end), idle);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    if (!workers[w]) continue;
    const IdleSpan stay = stay_of(run, w);
    const double threads = threads_of(run, w);
    sort_stably(transfers[w], [](const IdleSpan& a, const IdleSpan& b) { return a.from < b.from; });
    gaps.of_worker(w, value_or(first[w], stay.until), std::move(transfers[w]));
    sort_stably(changes[w], std::less<>());
    double at = stay.from;
    double busy = 0;
    for (const auto& [when, change] : changes[w]) {
      const double until = std::min(when, stay.until);
      gaps.add(at, until, threads - busy, busy, true);
      at = std::max(at, until);
      busy += change;
    }
    const bool left = stay.until < run.window().end && !changes[w].empty();
    if (left) gaps.leave(at, stay.until, threads - busy);
    else gaps.add(at, stay.until, threads - busy, busy, true);
  }
}

/// What heartbeats said at the ticks.
void by_heartbeats(const Run& run, const WorkerSelection& workers, double begin, double end,
                   IdleTime& idle) {
  double first = absent;
  double last_began = absent, last_ended = absent;
  for (const std::uint32_t chunk : chunks_by_start(run)) {
    if (!run.chunks.placed) break;
    const double began = run.chunks.t_start[chunk];
    if (!(first <= began)) first = began;
    last_began = std::fmax(last_began, began);
    last_ended = std::fmax(last_ended, run.chunks.t_end[chunk]);
  }
  Gaps gaps(run, begin, end, value_or(last_began, end), value_or(last_ended, end), idle);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    if (!workers[w]) continue;
    const TickSeries& running = run.workers.of(Series::executing, w);
    const double threads = threads_of(run, w);
    // A worker starts until it is seen to execute; one that was there from the beginning until
    // chunks began.
    double own_first = value_or(first, begin);
    for (std::size_t tick = running.first_tick; tick < running.end_tick(); ++tick) {
      if (!(running.at(tick) > 0)) continue;
      own_first = std::max(own_first, run.ticks[tick]);
      break;
    }
    gaps.of_worker(w, own_first);
    for (std::size_t tick = running.first_tick; tick < running.end_tick(); ++tick) {
      const double until = tick + 1 < run.ticks.size() ? run.ticks[tick + 1] : run.window().end;
      if (!is_absent(running.at(tick)))
        gaps.add(run.ticks[tick], until, threads - running.at(tick), running.at(tick), false);
    }
  }
}

}  // namespace

IdleTime find_idle(const Run& run, const WorkerSelection& workers, StringId processor, double begin,
                   double end) {
  IdleTime idle;
  const StringId compute = run.names->strings.find("compute");
  // Where a manager's log tells of no processor, tasks of any kind are what cores are there for.
  idle.exact = (processor != no_string || run.recording.of_log()) && compute != no_string &&
               run.tasks.size() > 0;
  if (idle.exact) by_stream(run, workers, processor, begin, end, idle);
  else by_heartbeats(run, workers, begin, end, idle);
  return idle;
}

}  // namespace crema::runtime
