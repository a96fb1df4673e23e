#include "core/analyse/worker_series.hpp"

#include <algorithm>

#include "core/analyse/worker_selection.hpp"
#include "core/base/error.hpp"

namespace crema {

WorkerSeries WorkerSeries::named(const std::string& name) {
  if (name == "cpu_share") return {Series::cpu, Per::thread};
  if (name == "memory_utilization") return {Series::memory, Per::limit};
  const auto found = std::find(series_names.begin(), series_names.end(), name);
  if (found != series_names.end()) return {static_cast<Series>(found - series_names.begin())};
  std::string known = "cpu_share, memory_utilization";
  for (const std::string_view one : series_names) known += ", " + std::string(one);
  throw Failure(ErrorCode::bad_option, "series=" + name + "; known are " + known);
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

}  // namespace crema
