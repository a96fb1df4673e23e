#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/string_pool.hpp"

namespace crema {

/// The nine per-worker series of roastcoffea's tracking loop (`tracking_data.worker_*`), in SI
/// units.
enum class Series : std::uint8_t {
  memory,        ///< [byte] resident set
  memory_limit,  ///< [byte], 0 = no limit
  active_tasks,  ///< tasks assigned to the worker (`WorkerState.processing`)
  cores,         ///< nthreads
  nbytes,        ///< [byte] of results held
  occupancy,     ///< [s] of estimated queued work
  executing,     ///< tasks really running, as of the last heartbeat
  last_seen,     ///< [epoch s] of the last heartbeat
  cpu,           ///< fraction of one core; above 1 with several threads
};
inline constexpr std::size_t series_count = 9;

/// roastcoffea's key of each series, without the "worker_" in front.
inline constexpr std::array<std::string_view, series_count> series_names = {
    "memory",    "memory_limit", "active_tasks", "cores", "nbytes",
    "occupancy", "executing",    "last_seen",    "cpu"};
/// The unit of each as a question shows it: of `last_seen` its age.
inline constexpr std::array<std::string_view, series_count> series_units = {
    "byte", "byte", "count", "count", "byte", "s", "count", "s", "1"};

/// The ticks from `begin` on, up to the one before `end`.
struct TickRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Values of one worker at consecutive ticks, beginning with `first_tick`; absent where a tick has
/// none.
struct TickSeries {
  std::uint32_t first_tick = 0;
  std::vector<double> values;

  bool empty() const { return values.empty(); }
  std::size_t end_tick() const { return first_tick + values.size(); }

  /// The value at `tick`; absent outside the series. Inlined: code that is compiled for size calls
  /// it per tick, too.
  [[gnu::always_inline]] double at(std::size_t tick) const {
    return tick < first_tick || tick >= end_tick() ? absent : values[tick - first_tick];
  }

  /// The ticks of the series that are in the range.
  TickRange within(TickRange ticks) const {
    return {std::max<std::size_t>(ticks.begin, first_tick), std::min(ticks.end, end_tick())};
  }
  /// The last value in the range; absent where there is none.
  double last(TickRange ticks) const;

  /// Sets the value at `tick`, widening the series (with absent values) where needed.
  void set(std::size_t tick, double value);
};

/// What a worker runs on, as `crema.record` asked it; CPUs are threads of hardware.
struct Machine {
  double cpus = absent;    ///< of the host
  double cores = absent;   ///< of the host, physical ones
  double usable = absent;  ///< of the host's CPUs by the worker: affinity, container
  double busy = absent;    ///< CPUs of the host in use while recorded, on average
  double own = absent;     ///< of those by the worker
};

/// The workers of a run in columns indexed by worker number, in order of first sight.
struct Workers {
  std::vector<StringId> address;
  std::vector<StringId> name;  ///< no_string when no source has it
  std::vector<StringId> host;  ///< as recorded, else the host of the address, else no_string
  /// from worker meta or scheduler info; absent when only `cores` ticks know
  std::vector<double> nthreads;
  std::vector<double> memory_limit;  ///< [byte] likewise
  std::vector<Machine> machine;
  std::array<std::vector<TickSeries>, series_count> series;  ///< [series][worker]

  std::size_t size() const { return address.size(); }
  const TickSeries& of(Series which, std::size_t worker) const {
    return series[static_cast<std::size_t>(which)][worker];
  }
  TickSeries& of(Series which, std::size_t worker) {
    return series[static_cast<std::size_t>(which)][worker];
  }

  /// The worker of that address, added when new.
  std::size_t intern(StringId worker_address);
  /// The worker of that address, or size().
  std::size_t find(StringId worker_address) const;

 private:
  std::unordered_map<StringId, std::uint32_t> index_;
};

}  // namespace crema
