#include "core/runtime/cluster/worker_series.hpp"

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
  if (per != Per::worker) return "1";
  switch (which) {
    case Series::memory:
    case Series::memory_limit:
    case Series::nbytes: return "byte";
    case Series::occupancy:
    case Series::last_seen: return "s";
    case Series::cpu: return "1";
    default: return "count";
  }
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

}  // namespace crema::runtime
