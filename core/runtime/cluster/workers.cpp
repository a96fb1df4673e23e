#include "core/runtime/cluster.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/worker_selection.hpp"

namespace crema::runtime {

namespace {

/// Whether the recorded series stand in `worker_series_names` in the order of `Series`.
constexpr bool names_agree() {
  std::string_view left = worker_series_names;
  left.remove_prefix(std::string_view("cpu_share, memory_utilization").size());
  for (const std::string_view name : series_names) {
    if (left.substr(2, name.size()) != name) return false;
    left.remove_prefix(2 + name.size());
  }
  return left.empty();
}
static_assert(names_agree());

}  // namespace

WorkerSeries WorkerSeries::of(const Options& options, const Option& option) {
  const auto index = options.choice<std::size_t>(option);
  if (index == 0) return {Series::cpu, Per::thread};
  if (index == 1) return {Series::memory, Per::limit};
  return {static_cast<Series>(index - 2)};
}

std::string_view WorkerSeries::unit() const {
  return per != Per::worker ? "1" : series_units[static_cast<std::size_t>(which)];
}

std::string_view WorkerSeries::formula() const {
  if (per == Per::thread) return "process CPU / nthreads; ";
  if (per == Per::limit) return "resident memory / limit; ";
  return which == Series::last_seen ? "tick − last heartbeat; " : "";
}

double WorkerSeries::value(const Run& run, std::size_t worker, std::size_t k) const {
  const TickSeries& of = series(run, worker);
  const double value = of.values[k];
  if (is_absent(value)) return absent;
  const std::size_t tick = of.first_tick + k;
  if (per == Per::thread) return ratio(value, nthreads_at(run, worker, tick));
  if (per == Per::limit) {
    const double limit = run.workers.of(Series::memory_limit, worker).at(tick);
    return limit > 0 ? value / limit : absent;
  }
  if (which != Series::last_seen) return value;
  // 0 = not heard of yet
  return value > 0 ? run.clock.zero_epoch + run.ticks[tick] - value : absent;
}

Moments WorkerSeries::moments(const Run& run, std::size_t worker, TickRange ticks) const {
  const TickSeries& of = series(run, worker);
  std::vector<double> values;
  const std::size_t end = std::min(ticks.end, of.end_tick());
  for (std::size_t tick = std::max<std::size_t>(ticks.begin, of.first_tick); tick < end; ++tick)
    values.push_back(value(run, worker, tick - of.first_tick));
  return crema::moments(values);
}

TightestWorker tightest_worker(const Run& run) {
  TightestWorker tightest;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    const Moments used = moments(run.workers.of(Series::memory, w).values);
    double limit = run.workers.memory_limit[w];
    if (is_absent(limit)) limit = moments(run.workers.of(Series::memory_limit, w).values).max;
    if (used.count == 0 || !(limit > 0)) continue;
    if (!(used.max / limit <= tightest.peak / tightest.limit))
      tightest = {used.min, used.max, limit};
  }
  return tightest;
}

double memory_enough(double peak) {
  constexpr double step = 128.0 * 1024 * 1024;
  return std::ceil(2 * peak / step) * step;
}

std::vector<Pause> pauses_of(const Run& run) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Pause> pauses;
  std::vector<std::size_t> open(run.workers.size(), none);  // by worker: its open pause, an index
  for (const WorkerEvent& event : run.worker_events) {
    const std::size_t worker = run.workers.find(event.worker);
    if (worker == open.size()) continue;
    if (event.kind == "paused" && open[worker] == none) {
      open[worker] = pauses.size();
      pauses.push_back({worker, event.t, run.window().end, event.value});
    } else if (event.kind == "resumed" && open[worker] != none) {
      pauses[open[worker]].end = event.t;
      open[worker] = none;
    }
  }
  return pauses;
}

}  // namespace crema::runtime
