#pragma once

#include <string>
#include <string_view>

#include "core/model/options.hpp"
#include "core/model/run.hpp"

namespace crema::runtime {

/// What series can be asked for, by name: those made of two, then those recorded.
inline constexpr std::string_view worker_series_names =
    "cpu_share, memory_utilization, memory, memory_limit, active_tasks, cores, nbytes, occupancy, "
    "executing, last_seen, cpu";

/// A quantity that every worker has at every tick, by name: roastcoffea's nine series, and what is
/// made of two of them.
///
///     cpu_share            process CPU / nthreads [1]
///     memory_utilization   resident memory / limit [1]
///     last_seen            the age of the last heartbeat at the tick [s], not the heartbeat's
///     moment
struct WorkerSeries {
  enum class Per : std::uint8_t { worker, thread, limit };
  Series which;
  Per per = Per::worker;

  /// What an option with the values `worker_series_names` says.
  static WorkerSeries of(const Options& options, const Option& option);

  std::string_view unit() const;
  std::string_view formula() const;

  /// The value of `worker` at element `k` of its series (`series(run, worker).values[k]`); absent
  /// where there is none.
  double value(const Run& run, std::size_t worker, std::size_t k) const;
  const TickSeries& series(const Run& run, std::size_t worker) const {
    return run.workers.of(which, worker);
  }
};

}  // namespace crema::runtime
