#pragma once

#include <string>
#include <vector>

namespace crema {

/// What Dask's SystemMonitor saw of the scheduler's process and machine, a row per sample (0.5 s by
/// default), in columns of equal length (distributed/system_monitor.py). Only a performance report
/// keeps it.
struct SystemLoad {
  std::vector<double> t;       ///< [epoch s] until `settle_clock`, then [s] on the run axis
  std::vector<double> cpu;     ///< of the scheduler's process, 1 = one core
  std::vector<double> memory;  ///< [byte] of the scheduler's process (RSS)
  /// [byte/s] of the machine
  std::vector<double> network_read, network_write, disk_read, disk_write;
  std::vector<double> open_files;
  std::string source;

  std::size_t size() const { return t.size(); }
};

}  // namespace crema
