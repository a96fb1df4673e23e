#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/facts/chunk_selection.hpp"
#include "core/model/run.hpp"

namespace crema::facts {

/// How far a sum over a run's chunks could have come out otherwise, had other chunks of the same
/// kind been drawn: the bootstrap over chunks (B. Efron, R. J. Tibshirani, An Introduction to the
/// Bootstrap, 1993, ch. 5 and 6). For sums and for sums per event its variance is known in closed
/// form, so that nothing is drawn at random here.
///
/// What all chunks share, such as a machine that was busy with something else, is no spread of
/// chunks and is not in it.
class ChunkSpread {
 public:
  ChunkSpread(const Run& run, const ChunkSelection& chosen);

  /// Adds what `chunk` contributed to `group` [s], whole; it is cut to the selected time here. Call
  /// once per chunk and group.
  void add(std::string_view group, std::size_t chunk, double seconds);

  /// Standard error of a group's Σ seconds [s]; absent when the group is not there or the run has
  /// fewer than two chunks.
  double of_sum(std::string_view group) const;
  /// Standard error of a group's Σ seconds / Σ events of all chosen chunks [s per event]; absent
  /// likewise.
  double per_event(std::string_view group) const;

 private:
  struct Sums {
    double seconds = 0, squares = 0, with_events = 0;
  };
  const Run& run_;
  const ChunkSelection& chosen_;
  std::map<std::string, Sums, std::less<>> groups_;
  double events_ = 0;
  double squared_events_ = 0;
};

}  // namespace crema::facts
