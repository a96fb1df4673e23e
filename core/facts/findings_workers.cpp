// Rules about workers: memory, workers lost and restarted, unresponsive or unbalanced ones.
#include <algorithm>
#include <functional>

#include "core/base/number_format.hpp"
#include "core/base/order.hpp"
#include "core/facts/finding.hpp"
#include "core/facts/heartbeat.hpp"
#include "core/facts/processor.hpp"

namespace crema::facts {

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

std::vector<Finding> memory_near_limit(const Facts& f) {
  const Run& run = f.run;
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

std::vector<Finding> workers_lost(const Facts& f) {
  const Run& run = f.run;
  std::vector<std::size_t> lost;
  std::string when;
  double seen = 0;  // a worker that only a profile or scheduler info names was not
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const TickRange range = ticks_of(run.workers, w);
    if (range.end > 0) seen += 1;
    if (range.end == 0 || range.end >= run.ticks.size()) continue;
    lost.push_back(w);
    if (lost.size() <= 5)
      when += (when.empty() ? "" : ", ") + format_seconds(run.ticks[range.end - 1]);
  }
  if (lost.empty()) return {};
  if (lost.size() > 5) when += ", …";
  Selection selection;
  for (const std::size_t w : lost) selection.workers.push_back(address(run, w));
  const auto count = static_cast<double>(lost.size());
  return {{"workers-lost", count >= 0.1 * seen ? Severity::medium : Severity::low,
           format_count(count, "worker") + " left before the end",
           "Of " + format_number(seen) + " seen; last seen at " + when +
               ". Scaling down, a time limit of the batch system and a crash look the same here.",
           absent, "Timelines", selection}};
}

std::vector<Finding> unresponsive(const Facts& f) {
  const Run& run = f.run;
  if (is_absent(run.clock.zone_offset)) return {};
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
  static const std::vector<Rule> rules = {memory_near_limit, workers_lost, unresponsive,
                                          unbalanced};
  return rules;
}

}  // namespace crema::facts
