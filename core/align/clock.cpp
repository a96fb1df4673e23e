#include "core/align/align.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/order.hpp"
#include "core/base/text.hpp"

namespace crema::align {

namespace {

constexpr double quarter_hour = 900;
constexpr double day = 86400;

double nearest_quarter(double seconds) { return std::round(seconds / quarter_hour) * quarter_hour; }

// Local time minus the newest heartbeat at each tick [s]: the zone offset plus at most a
// heartbeat's lag.
std::vector<double> tick_minus_heartbeat(const Run& run) {
  std::vector<double> newest(run.tick_naive.size(), absent);
  for (const TickSeries& series : run.workers.series[static_cast<std::size_t>(Series::last_seen)]) {
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const double seen = series.values[i];
      double& best = newest[series.first_tick + i];
      if (seen > 0 && (is_absent(best) || seen > best)) best = seen;
    }
  }
  for (std::size_t i = 0; i < newest.size(); ++i) {
    newest[i] = static_cast<double>(run.tick_naive[i]) * 1e-6 - newest[i];
    if (!(std::fabs(newest[i]) < day))
      newest[i] = absent;  // no zone is so far away: this is no time of a heartbeat
  }
  return newest;
}

// The zone offset at each tick; empty when no heartbeat was recorded.
std::vector<double> offsets_from_heartbeats(const Run& run) {
  const std::vector<double> difference = tick_minus_heartbeat(run);
  const std::vector<double> present = sorted_present(difference);
  if (present.empty()) return {};
  const std::size_t n = difference.size();
  const auto first =
      std::find_if(difference.begin(), difference.end(), [](double d) { return !is_absent(d); });
  const auto last =
      std::find_if(difference.rbegin(), difference.rend(), [](double d) { return !is_absent(d); });
  const double before = nearest_quarter(*first);
  const double after = nearest_quarter(*last);

  // One offset for the whole run, unless it changes by a clock change's amount and stays so to the
  // end: a scheduler that stalls for minutes must not look like a clock change.
  const double jump = std::fabs(after - before);
  if (jump != 3600 && jump != 1800)
    return std::vector<double>(n, nearest_quarter(quantile(present, 0.5)));
  std::size_t change = n;
  while (change > 0 &&
         (is_absent(difference[change - 1]) || nearest_quarter(difference[change - 1]) == after))
    --change;
  std::vector<double> offsets(n, after);
  std::fill_n(offsets.begin(), change, before);
  return offsets;
}

/// ∫ of the cluster's active tasks over naive local time: a step function of the ticks, 1 where no
/// tasks were recorded.
class ActiveTime {
 public:
  explicit ActiveTime(const Run& run) {
    std::vector<double> active(run.tick_naive.size(), 0);
    for (const TickSeries& series :
         run.workers.series[static_cast<std::size_t>(Series::active_tasks)]) {
      for (std::size_t i = 0; i < series.values.size(); ++i)
        active[series.first_tick + i] += value_or(series.values[i], 0);
    }
    const bool any = any_of(active, [](double tasks) { return tasks > 0; });
    std::vector<std::pair<double, double>> steps;
    for (std::size_t i = 0; i < active.size(); ++i)
      steps.emplace_back(static_cast<double>(run.tick_naive[i]) * 1e-6, any ? active[i] : 1);
    sort_stably(steps, std::less<>());
    const double end = std::max(steps.back().first, steps.front().first + value_or(run.elapsed, 0));
    steps.emplace_back(end, 0);
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i > 0) sum += steps[i - 1].second * (steps[i].first - steps[i - 1].first);
      times_.push_back(steps[i].first);
      sums_.push_back(sum);
    }
  }
  double between(double begin, double end) const {
    return end > begin ? until(end) - until(begin) : 0;
  }

 private:
  double until(double t) const {
    const auto next = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) -
                                               times_.begin());
    if (next == 0) return 0;
    if (next == times_.size()) return sums_.back();
    const double part = (t - times_[next - 1]) / (times_[next] - times_[next - 1]);
    return sums_[next - 1] + part * (sums_[next] - sums_[next - 1]);
  }

  std::vector<double> times_, sums_;
};

// The multiple of 15 min that puts most chunk time where tasks were active; of equal ones the one
// that lets the chunks begin soonest after the first tick.
std::optional<double> offset_from_overlap(const Run& run) {
  if (run.tick_naive.empty() || run.chunks.size() == 0) return std::nullopt;
  const ActiveTime active(run);
  double best = 0;
  std::optional<double> offset;
  for (double candidate = -14 * 3600; candidate <= 14 * 3600; candidate += quarter_hour) {
    double inside = 0;
    for (std::size_t i = 0; i < run.chunks.size(); ++i) {
      inside += active.between(run.chunks.t_start[i] + candidate, run.chunks.t_end[i] + candidate);
    }
    if (inside > best * (1 + 1e-9)) {
      best = inside;
      offset = candidate;
    }
  }
  return offset;
}

// Puts the ticks in the order of `utc` [µs], which it sorts with them. Their recorded order is
// another when the scheduler's clock was set back, or when a writer does not list all ticks first.
void sort_ticks(Run& run, std::vector<std::int64_t>& utc) {
  const std::vector<std::uint32_t> order = places_in_order(
      utc.size(), [&](std::uint32_t a, std::uint32_t b) { return utc[a] < utc[b]; });
  const auto sorted = [&](auto& column) {
    auto copy = column;
    for (std::size_t i = 0; i < order.size(); ++i) copy[i] = column[order[i]];
    column = std::move(copy);
  };
  sorted(run.tick_naive);
  sorted(run.worker_counts);
  sorted(utc);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (auto& of_workers : run.workers.series) {
    for (TickSeries& series : of_workers) {
      if (series.empty()) continue;
      const auto first = place.begin() + series.first_tick;
      const auto [least, most] =
          std::minmax_element(first, first + static_cast<std::ptrdiff_t>(series.values.size()));
      TickSeries moved;
      moved.first_tick = *least;
      moved.values.assign(*most - *least + 1, absent);
      for (std::size_t i = 0; i < series.values.size(); ++i)
        moved.values[place[series.first_tick + i] - *least] = series.values[i];
      series = std::move(moved);
    }
  }
}

/// The most seconds that chunks can have taken: of all tasks, or of all cores while the run lasted;
/// absent where neither was recorded.
double most_chunk_seconds(const Run& run) {
  const Activities& a = run.activities;
  double seconds = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // "N/A" is idle time
    if (run.text(a.context[i]) == "execute" && run.text(a.unit[i]) == "seconds" &&
        run.text(a.prefix[i]) != "N/A")
      seconds += a.value[i];
  }
  if (seconds > 0) return seconds;
  for_each_execution(
      run, [&](std::size_t i) { seconds += value_or(run.tasks.t1[i] - run.tasks.t0[i], 0); });
  if (seconds > 0) return seconds;
  for (const double threads : run.workers.nthreads) seconds += threads * run.elapsed;
  return seconds > 0 ? seconds : absent;
}

/// Takes out the chunks of an earlier run, which coffea's checkpointer brings back with their
/// output: those that ended before this run began, where this run had no time for all chunks but
/// for the others. A clock that is off moves chunks, too, but not beyond what tasks took.
void drop_earlier_chunks(Run& run, double run_begin) {
  constexpr double rounding = 1.02;  // of what Dask and the chunks' own clocks count
  Chunks& c = run.chunks;
  std::vector<bool> kept(c.size(), true);
  double own = 0, earlier = 0, latest = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    kept[i] = !(c.t_start[i] > day && c.t_end[i] < run_begin - tick_grain);
    (kept[i] ? own : earlier) += value_or(c.duration[i], value_or(c.t_end[i] - c.t_start[i], 0));
    if (!kept[i]) latest = std::max(latest, c.t_end[i]);
  }
  if (earlier == 0) return;
  const double most = rounding * most_chunk_seconds(run);
  if (!(own <= most && own + earlier > most)) return;
  const std::size_t all = c.size();
  c.keep(kept);
  c.earlier = all - c.size();
  run.add_note("chunks-of-earlier-run", Severity::medium,
               sentence({format_number(static_cast<double>(c.earlier)), " of ",
                         format_count(static_cast<double>(all), "chunk"),
                         " are of an earlier run: they ended ", format_seconds(run_begin - latest),
                         " or more before this one began, which had no time for them. coffea's "
                         "checkpointer kept them; they are left out of all numbers"}));
}

// What is no time of a chunk becomes absent: epoch 0 and others more than a day away from the run,
// ends before their starts.
void drop_impossible_times(Run& run, double run_begin) {
  Chunks& chunks = run.chunks;
  std::vector<double> starts = sorted_present(chunks.t_start);
  std::erase_if(starts, [](double t) { return t < day; });
  const double around = is_absent(run_begin) ? quantile(starts, 0.5) : run_begin;
  const double most = day + value_or(run.elapsed, 0);
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const double begin = chunks.t_start[i];
    const double end = chunks.t_end[i];
    if (std::fabs(begin - around) < most && std::fabs(end - around) < most && begin <= end)
      continue;  // false for absent ones
    chunks.t_start[i] = chunks.t_end[i] = absent;
    ++dropped;
  }
  if (dropped > 0) {
    run.add_note("chunk-time", Severity::medium,
                 std::to_string(dropped) +
                     " chunks have no usable start and end time; they are counted but not drawn");
  }
}

/// The first moment that anything but ticks tells [epoch s]. Beside ticks only chunks and tasks do:
/// nothing shows how far the others are from the ticks, so their times stay unknown.
struct First {
  double epoch = absent;
  const char* basis = "";
};

First first_of(const Run& run) {
  std::vector<double> spans, sampled, events;
  for (const Span& span : run.spans) {
    spans.insert(spans.end(), {span.enqueued, span.start, span.stop});
    for (const Span::Threads& threads : span.nthreads) spans.push_back(threads.begin);
  }
  for (const CallTree& slice : run.profile_slices) sampled.push_back(slice.begin);
  for (const WorkerEvent& event : run.worker_events) events.push_back(event.t);
  const std::pair<const std::vector<double>*, const char*> sources[] = {
      {&run.chunks.t_start, "times count from the first chunk (no tracking)"},
      {&run.tasks.t0, "times count from the first task (no tracking, no chunks)"},
      {&spans, "times count from the first span (no tracking, no chunks, no tasks)"},
      {&run.task_states.t, "times count from the scheduler's first change of state"},
      {&run.system.t, "times count from the first sample of the scheduler's load"},
      {&sampled, "times count from the first sample of the profile"},
      {&events, "times count from the first warning of a worker"}};
  if (run.tick_naive.empty() && run.recording.tasks.size() > 0 &&
      !is_absent(run.recording.index.begin))
    return {run.recording.index.begin, "times count from the beginning of the recording"};
  const std::size_t usable = run.tick_naive.empty() ? std::size(sources) : 2;
  for (const auto& [times, basis] : std::span(sources, usable)) {
    if (const Moments of = moments(*times); of.count > 0) return {of.min, basis};
  }
  return {};
}

}  // namespace

void settle_clock(Run& run) {
  const std::size_t n = run.tick_naive.size();
  Clock& clock = run.clock;
  std::vector<double> offsets = offsets_from_heartbeats(run);
  bool zone_known = !offsets.empty();
  if (zone_known) {
    clock.basis = "the scheduler's time zone is known from the workers' heartbeats";
    if (offsets.front() != offsets.back()) {
      run.add_note("clock-change", Severity::low,
                   "the scheduler's clock changed by " +
                       std::to_string(std::lround((offsets.back() - offsets.front()) / 60)) +
                       " min during the run; times were corrected");
    }
  } else if (n > 0) {
    const auto offset = offset_from_overlap(run);
    offsets.assign(n, offset.value_or(0));
    zone_known = offset.has_value();
    if (offset) {
      clock.basis = "the scheduler's time zone was guessed: with it chunks and ticks overlap best";
      run.add_note("zone-guessed", Severity::medium,
                   "no usable heartbeat times (worker_last_seen): the scheduler's time zone was "
                   "guessed from the overlap of chunks "
                   "and ticks");
    } else {
      clock.basis = "the scheduler's time zone is not known: its local time is shown";
    }
  }

  run.ticks.resize(n);
  if (n > 0) {
    std::vector<std::int64_t> utc(n);
    for (std::size_t i = 0; i < n; ++i)
      utc[i] = run.tick_naive[i] - static_cast<std::int64_t>(offsets[i] * 1e6);
    const auto steps_back = std::count_if(utc.begin() + 1, utc.end(),
                                          [&](const std::int64_t& t) { return t < *(&t - 1); });
    if (steps_back > 0) {
      run.add_note("ticks-out-of-order", Severity::low,
                   std::to_string(steps_back) +
                       " times a tick comes after a later one; the ticks were sorted");
      sort_ticks(run, utc);
    }
    for (std::size_t i = 0; i < n; ++i) run.ticks[i] = static_cast<double>(utc[i] - utc[0]) * 1e-6;
    clock.zero_naive = static_cast<double>(run.tick_naive[0]) * 1e-6;
    if (zone_known) {
      clock.zone_offset = offsets.front();
      clock.zero_epoch = static_cast<double>(utc[0]) * 1e-6;
    }
  }

  Chunks& chunks = run.chunks;
  drop_earlier_chunks(run, clock.zero_epoch);
  drop_impossible_times(run, clock.zero_epoch);
  if (is_absent(clock.zero_epoch)) {
    const First first = first_of(run);
    clock.zero_epoch = first.epoch;
    if (n == 0 && !is_absent(first.epoch)) clock.basis = first.basis;
    if (n > 0 && moments(chunks.t_start).count > 0) {
      run.add_note("clocks-apart", Severity::medium,
                   "chunks and worker ticks have no time in common: both were drawn from 0, "
                   "which may not be the same moment");
    }
  }
  for (auto* column : {&chunks.t_start, &chunks.t_end, &run.tasks.t0, &run.tasks.t1, &run.system.t,
                       &run.task_states.t}) {
    for (double& t : *column) t -= clock.zero_epoch;
  }
  RecordedTables::each_table(run.recording, [&](RecordedRows& table) {
    for (std::size_t i = 0; i < table.declared().size(); ++i) {
      if (table.declared()[i].kind != RecordedColumn::Kind::moment) continue;
      for (double& t : table.columns()[i]) t -= clock.zero_epoch;
    }
  });
  for (WorkerEvent& event : run.worker_events) event.t -= clock.zero_epoch;
  for (CallTree& slice : run.profile_slices) {
    slice.begin -= clock.zero_epoch;
    slice.end -= clock.zero_epoch;
  }
  for (Span& span : run.spans) {
    for (double* t : {&span.enqueued, &span.start, &span.stop}) *t -= clock.zero_epoch;
    for (Span::Threads& threads : span.nthreads) {
      threads.begin -= clock.zero_epoch;
      threads.end -= clock.zero_epoch;
    }
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (is_absent(chunks.duration[i])) chunks.duration[i] = chunks.t_end[i] - chunks.t_start[i];
  }
}

void settle(Run& run) {
  if (run.is_digest()) return;  // it has neither ticks nor chunks, and says when it began
  leave_jobs(run);
  add_rows(run);
  settle_clock(run);
  drop_duplicate_chunks(run);
  match_rows(run);
  add_ticks_of_machines(run);
  correct_executing(run);
  settle_worker_clocks(run);
  match_chunks(run);
  complete_hosts(run);
  match_jobs(run);
  add_activities_of_tasks(run);
  run.facts = {};  // what was asked of the run before it was whole
}

}  // namespace crema::align
