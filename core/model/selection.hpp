#pragma once

#include <optional>
#include <string>
#include <vector>

namespace crema {

/// What the user is *looking at*. Empty = everything.
struct Selection {
  struct TimeRange {
    double begin;  ///< [s] run axis
    double end;
  };
  /// lo ≤ value ≤ hi of a column of the `chunks` question.
  struct ColumnRange {
    std::string column;
    double lo;
    double hi;
  };

  std::optional<TimeRange> time;
  std::vector<std::string> workers;  ///< addresses or names
  std::vector<std::string> datasets;
  std::vector<std::string> files;
  std::vector<std::string> hosts;     ///< storage hosts: those that serve, and the sites behind caches
  std::vector<std::string> prefixes;  ///< task prefixes
  std::vector<ColumnRange> ranges;

  bool empty() const {
    return !time && workers.empty() && datasets.empty() && files.empty() && hosts.empty() && prefixes.empty() && ranges.empty();
  }
};

}  // namespace crema
