// Rules about where the core-time went: outside process(), start-up, the tail, idle cores, waiting.
#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/heartbeat.hpp"
#include "core/facts/processor.hpp"
#include "core/facts/report_counts.hpp"
#include "core/facts/sweep.hpp"

namespace crema::facts {

namespace {

// Shares of the available core-time from which a finding is worth a line, and from which it is
// grave. A tenth of the cores is what people notice in a queue; a quarter is worth a day of work.
constexpr double worth_a_line = 0.05;
constexpr double notable = 0.10;
constexpr double grave = 0.25;

Severity by_share(double share) {
  return share >= grave ? Severity::high : share >= notable ? Severity::medium : Severity::low;
}

std::vector<Finding> outside_process(const Facts& f) {
  const double outside = f.budget.of(BudgetPart::Kind::outside_process);
  const double share = f.share(outside);
  if (!(share >= notable)) return {};
  const double executions =
      is_absent(f.lost.executions) ? recorded_num_chunks(f.run) : f.lost.executions;
  return {Finding{
      "outside-process",
      by_share(share),
      format_percent(outside / f.processor_seconds) +
          " of the processor tasks' time is outside process()",
      format_seconds(outside / executions) + " per execution outside, " +
          format_seconds(f.inside / static_cast<double>(f.run.chunks.size())) +
          " per chunk inside. It includes opening the file, building events, unpickling the "
          "processor and packing its output.",
      outside,
      "Timelines",
      {}}.at_most(f.won_by_saving(outside))};
}

std::vector<Finding> lost_work(const Facts& f) {
  const double share = f.share(f.lost.core_seconds);
  // A lost chunk or two at the estimate's edge is no finding.
  if (!(f.lost.repeated >= 1) || !(share >= 0.01)) return {};
  return {Finding{
      "lost-work",
      by_share(share),
      format_percent(share) + " of the core-time was work done again",
      format_count(f.lost.repeated, "execution") + " of " + format_number(f.lost.executions) +
          " were repeated (" + (f.lost.exact ? "from the task stream" : "estimated") +
          "): when a worker is lost or leaves, the results it holds are computed again.",
      f.lost.core_seconds,
      "Timelines",
      {}}.at_most(f.won_by_losing_nothing())};
}

double phase_seconds(const Facts& f, const char* name, double Phase::*edge, double fallback) {
  const auto found = std::find_if(f.phases.begin(), f.phases.end(),
                                  [&](const Phase& p) { return p.name == name; });
  return found == f.phases.end() ? fallback : (*found).*edge;
}

std::vector<Finding> start_up(const Facts& f) {
  // When chunks ran is not known: neither is how long the run waited for them.
  if (f.run.chunks.size() > 0 && (!f.run.chunks.placed || !f.whole_list)) return {};
  double core_seconds = 0;
  double end = 0;
  for (const Phase& p : f.phases) {
    if (p.name != "waiting for workers" && p.name != "pre-processing" && p.name != "ramp") continue;
    core_seconds += value_or(p.core_seconds, 0);
    end = p.t1;
  }
  // Chunks that ran meanwhile are no loss.
  const double used = chunk_steps(f.run).integral(0, end);
  core_seconds = std::max(0.0, core_seconds - used);
  const double share = f.share(core_seconds);
  const double first_core = phase_seconds(f, "waiting for workers", &Phase::t1, 0);
  const double first_chunk = phase_seconds(f, "pre-processing", &Phase::t1, first_core);
  if (!(share >= worth_a_line) && !(first_chunk >= notable * f.elapsed)) return {};
  Selection selection;
  selection.time = Selection::TimeRange{0, end};
  std::string evidence = "First core at " + format_seconds(first_core);
  if (f.run.chunks.size() > 0) evidence += ", first chunk at " + format_seconds(first_chunk);
  if (f.filled) evidence += ", chunks on 90 % of the cores at " + format_seconds(end);
  else if (f.run.chunks.size() > 0) evidence += "; chunks never ran on 90 % of the cores";
  return {
      Finding{"start-up", by_share(std::max(share, first_chunk / f.elapsed / 2)),
              format_seconds(end) + (f.filled ? " until chunks ran on nearly all cores"
                                     : f.run.chunks.size() > 0 ? " until the first chunk began"
                                                               : " until the first core was there"),
              evidence + ".", core_seconds, "Timelines", selection}
          .at_most(f.won_by_starting_at_once())};
}

std::vector<Finding> preprocessing(const Facts& f) {
  const double seconds = f.budget.of(BudgetPart::Kind::task, "automatic_retries");
  const double share = f.share(seconds);
  if (!(share >= worth_a_line)) return {};
  Selection selection;
  selection.prefixes = {"automatic_retries"};
  return {Finding{"pre-processing", by_share(share),
                  "Pre-processing took " + format_percent(share) + " of the core-time",
                  format_core_seconds(seconds) +
                      " in tasks that open every file to count its events. "
                      "coffea can keep the result and skip this the next time.",
                  seconds, "Fine metrics", selection}
              .at_most(f.won(phase_seconds(f, "pre-processing", &Phase::t1, absent),
                             phase_seconds(f, "pre-processing", &Phase::t0, absent)))};
}

std::vector<Finding> tail(const Facts& f) {
  if (f.run.chunks.size() < enough_chunks || is_absent(f.tail.core_seconds_wasted) || !f.whole_list)
    return {};
  const double share = f.share(f.tail.core_seconds_wasted);
  const double length = f.tail.end - f.tail.t95;
  // Less than 2 % is what any list of chunks leaves at its end.
  if (!(share >= 0.02)) return {};
  Selection selection;
  selection.time = Selection::TimeRange{f.tail.t95, f.tail.end};
  const double busy = 1 - f.tail.core_seconds_wasted / f.tail.core_seconds;
  const double sooner = f.tail.actual_makespan - f.tail.ideal_makespan;
  std::string evidence = "From 95 % of the chunks done to the last one's end, " +
                         format_percent(busy) + " of the cores were inside process().";
  if (sooner > 0.01 * f.tail.actual_makespan) {
    evidence += " The same tasks, longest first and without gaps, would have taken " +
                format_seconds(f.tail.ideal_makespan) + " instead of " +
                format_seconds(f.tail.actual_makespan) + ".";
  }
  return {Finding{"tail", by_share(share),
                  "The last " + format_seconds(length) + " ran on part of the cores", evidence,
                  f.tail.core_seconds_wasted, "Timelines", selection}
              .at_most(f.won(f.tail.actual_makespan, f.tail.ideal_makespan))};
}

// As many heartbeats must show idle cores: one or two may have come between two tasks.
constexpr std::size_t least_heartbeats = 3;
// A worker is asked for at most this many heartbeats; an older one says nothing of now.
constexpr double fresh_heartbeats = 2;

/// Cores that were free at a tick although as many tasks as cores were assigned.
struct FreeCores {
  std::vector<double> cores;      // by tick
  std::vector<double> heartbeat;  // [epoch s] the newest that tells so
};

FreeCores free_with_work(const Run& run) {
  const std::size_t n = run.ticks.size();
  std::vector<double> cores(n, 0), active(n, 0), executing(n, 0);
  FreeCores free{std::vector<double>(n, 0), std::vector<double>(n, absent)};
  const double interval = heartbeat_interval(run);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickSeries& running = run.workers.of(Series::executing, w);
    for (std::size_t tick = running.first_tick; tick < running.end_tick(); ++tick) {
      const double assigned = run.workers.of(Series::active_tasks, w).at(tick);
      if (is_absent(running.at(tick)) || is_absent(assigned)) continue;
      // Without heartbeat times each tick has to do for one.
      const double seen = value_or(run.workers.of(Series::last_seen, w).at(tick), absent);
      const double now = run.clock.zero_epoch + run.ticks[tick];
      if (now - seen > fresh_heartbeats * interval) continue;
      const double heard = is_absent(seen) ? run.ticks[tick] : seen;
      if (!(free.heartbeat[tick] >= heard)) free.heartbeat[tick] = heard;
      cores[tick] += value_or(nthreads_at(run, w, tick), 0);
      active[tick] += assigned;
      executing[tick] += running.at(tick);
    }
  }
  for (std::size_t tick = 0; tick < n; ++tick) {
    if (active[tick] >= cores[tick])
      free.cores[tick] = std::max(0.0, cores[tick] - executing[tick]);
  }
  return free;
}

// Work was there, but not running.
std::vector<Finding> idle_with_work(const Facts& f) {
  const Run& run = f.run;
  const FreeCores free = free_with_work(run);
  double wasted = 0;
  std::size_t heartbeats = 0;
  double last = absent;
  for (std::size_t tick = 0; tick + 1 < run.ticks.size(); ++tick) {
    if (!(free.cores[tick] > 0)) continue;
    wasted += free.cores[tick] * (run.ticks[tick + 1] - run.ticks[tick]);
    if (free.heartbeat[tick] != last) ++heartbeats;
    last = free.heartbeat[tick];
  }
  if (heartbeats < least_heartbeats) return {};
  // Heartbeats are late and ticks a second apart: the tasks' own seconds say how much can have been
  // idle at all.
  if (const double idle = f.budget.of(BudgetPart::Kind::idle); !is_absent(idle))
    wasted = std::min(wasted, idle);
  const double share = f.share(wasted);
  if (!(share >= notable)) return {};
  return {Finding{
      "idle-with-work",
      by_share(share),
      format_percent(share) + " of the core-time was idle while tasks were waiting",
      "As many tasks as cores were assigned to workers, but fewer were running (as of the "
      "last heartbeat). Consistent with "
      "a busy scheduler, with tasks that wait for their inputs, and with workers that have "
      "just started.",
      wasted,
      "Timelines",
      {}}.at_most(f.won_without_gaps())};
}

std::vector<Finding> waiting(const Facts& f) {
  const double wait = activity_sum(f.run, "thread-noncpu", "seconds");
  const double cpu = activity_sum(f.run, "thread-cpu", "seconds");
  const double part = ratio(wait, wait + cpu);
  // A quarter: below it tasks count as busy with computing.
  if (!(part >= 0.25)) return {};
  return {Finding{
      "waiting",
      part >= 0.5 ? Severity::high : Severity::medium,
      "Tasks waited for " + format_percent(part) + " of their time",
      format_core_seconds(wait) + " on a thread but not on a CPU, " + format_core_seconds(cpu) +
          " on one. Consistent with reading input, with locks (the GIL among them), or with "
          "more threads than cores on the "
          "machine. Part of it is what reading takes: a share, and no promise.",
      wait,
      "Fine metrics",
      {}}.as_share()};
}

std::vector<Finding> conversion(const Facts& f) {
  std::vector<Finding> found;
  struct Conversion {
    const char* id;
    const char* name;
    std::vector<const char*> activities;
  };
  for (const Conversion& kind :
       {Conversion{"serialization", "(De)serialization", {"serialize", "deserialize"}},
        Conversion{"compression", "(De)compression", {"compress", "decompress"}},
        Conversion{"spilling", "Spilling to disk and back", {"disk-read", "disk-write"}}}) {
    double seconds = 0;
    for (const char* activity : kind.activities)
      seconds += value_or(activity_sum(f.run, activity, "seconds"), 0);
    const double share = f.share(seconds);
    if (!(share >= 0.01)) continue;
    found.push_back(Finding{
        kind.id,
        by_share(share),
        std::string(kind.name) + " took " + format_percent(share) + " of the core-time",
        format_core_seconds(seconds) + " over all tasks, by Dask's own count.",
        seconds,
        "Fine metrics",
        {}}.at_most(f.won_by_saving(seconds)));
  }
  return found;
}

std::vector<Finding> reduction(const Facts& f) {
  const double seconds = f.budget.of(BudgetPart::Kind::task, "reduce");
  const double share = f.share(seconds);
  if (!(share >= 0.03)) return {};
  Selection selection;
  selection.prefixes = {"reduce"};
  return {Finding{"reduction", by_share(share),
                  "Merging results took " + format_percent(share) + " of the core-time",
                  format_core_seconds(seconds) +
                      " in the tasks of the tree reduction. Smaller outputs, or "
                      "another width of the tree (treereduction), change it.",
                  seconds, "Fine metrics", selection}
              .at_most(f.won_by_saving(seconds))};
}

}  // namespace

const std::vector<Rule>& core_time_rules() {
  static const std::vector<Rule> rules = {outside_process, lost_work,  start_up,
                                          preprocessing,   tail,       idle_with_work,
                                          waiting,         conversion, reduction};
  return rules;
}

}  // namespace crema::facts
