#pragma once

#include <algorithm>
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
  /// Those that chunks know, besides their time.
  static constexpr Dimensions of_chunks = by_dataset | by_file | by_host | by_range;
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

  /// Its lists of names, each under its name in a request.
  struct Names {
    std::string_view dimension;
    std::vector<std::string> Selection::*list;
  };
  static const std::array<Names, 5> all_names;

  /// Whether any of these parts selects something.
  bool uses(Dimensions any) const {
    return ((any & by_time) != 0 && time) || ((any & by_worker) != 0 && !workers.empty()) ||
           ((any & by_dataset) != 0 && !datasets.empty()) ||
           ((any & by_file) != 0 && !files.empty()) || ((any & by_host) != 0 && !hosts.empty()) ||
           ((any & by_prefix) != 0 && !prefixes.empty()) ||
           ((any & by_range) != 0 && !ranges.empty());
  }
  bool empty() const { return !uses(static_cast<Dimensions>(~0U)); }

  Selection without_time() const {
    Selection rest = *this;
    rest.time.reset();
    return rest;
  }
};

inline constexpr std::array<Selection::Names, 5> Selection::all_names = {
    {{"workers", &Selection::workers},
     {"datasets", &Selection::datasets},
     {"files", &Selection::files},
     {"hosts", &Selection::hosts},
     {"prefixes", &Selection::prefixes}}};

/// Whether a list of a Selection leaves that name: it holds it, or nothing.
inline bool leaves(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace crema
