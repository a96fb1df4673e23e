#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/compare/comparison.hpp"
#include "core/compare/explanation.hpp"

namespace crema::compare {

/// What of whole runs can be held against each other.
enum class Comparability : std::uint8_t {
  work,     ///< the same events: all
  mix,      ///< other amounts of the same: what is per event
  nothing,  ///< parts are missing, or other parts of it are there: nothing
};

Comparability comparability_of(std::span<const Run* const> a, std::span<const Run* const> b);

/// What the rows of a comparison are judged against.
struct Judge {
  const Explanation& explanation;
  double factor;     ///< B's amount of what changed as all work did / A's, as compared
  double core_time;  ///< of B, as compared
  bool has_replicates;
  Comparability runs;
  double run_spread;

  /// Gives each row its noise, by the source that its number declares, and says which differ with
  /// all of them in mind.
  void judge(std::vector<ComparedNumber>& rows) const;
};

}  // namespace crema::compare
