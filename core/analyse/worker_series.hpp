#pragma once

#include <string>
#include <string_view>

#include "core/model/run.hpp"

namespace crema {

/// A quantity that every worker has at every tick, by name: roastcoffea's nine series, and what is made of two of them.
///
///     cpu_share            process CPU / nthreads [1]
///     memory_utilization   resident memory / limit [1]
///     last_seen            the age of the last heartbeat at the tick [s], not the heartbeat's moment
struct WorkerSeries {
  enum class Per : std::uint8_t { worker, thread, limit };
  Series which;
  Per per = Per::worker;

  /// Throws Failure (bad_option) that lists the known names.
  static WorkerSeries named(const std::string& name);

  std::string_view unit() const;
  std::string_view formula() const;

  /// The value of `worker` at element `k` of its series (`series(run, worker).values[k]`); absent where there is none.
  double value(const Run& run, std::size_t worker, std::size_t k) const;
  const TickSeries& series(const Run& run, std::size_t worker) const { return run.workers.of(which, worker); }
};

}  // namespace crema
