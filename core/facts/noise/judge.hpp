#pragma once

#include <vector>

#include "core/facts/comparison.hpp"
#include "core/facts/noise/explanation.hpp"

namespace crema::facts {

/// What the rows of a comparison are judged against.
struct Judge {
  const Explanation& explanation;
  double factor;     ///< B's amount of what changed as all work did / A's, as compared
  double core_time;  ///< of B, as compared
  bool has_replicates;
  bool same_events;  ///< else seconds of whole runs are no matter of pace
  double run_spread;

  /// Gives each row its noise, by the source that its number declares, and says which differ with
  /// all of them in mind.
  void judge(std::vector<Compared>& rows) const;
};

}  // namespace crema::facts
