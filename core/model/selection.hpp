#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crema {

/// What the user is *looking at*. Empty = everything.
struct Selection {
  /// The parts of a Selection as bits: a question says which of them change its answer.
  enum Dimension : std::uint8_t {
    by_time = 1,
    by_worker = 2,
    by_dataset = 4,
    by_file = 8,
    by_host = 16,
    by_prefix = 32,
    by_range = 64,
  };
  using Dimensions = std::uint8_t;
  /// Their names in a request, in the order of the bits.
  static constexpr std::array<std::string_view, 7> dimension_names = {
      "time", "workers", "datasets", "files", "hosts", "prefixes", "ranges"};

  struct TimeRange {
    double begin;  ///< [s] run axis; Session takes an infinite end as the runs' own
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
  std::vector<std::string> hosts;  ///< storage hosts: those that serve, and the sites behind caches
  std::vector<std::string> prefixes;  ///< task prefixes
  std::vector<ColumnRange> ranges;

  bool empty() const {
    return !time && workers.empty() && datasets.empty() && files.empty() && hosts.empty() &&
           prefixes.empty() && ranges.empty();
  }
};

}  // namespace crema
