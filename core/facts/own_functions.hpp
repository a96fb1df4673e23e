#pragma once

#include <string>

#include "core/model/run.hpp"

namespace crema::facts {

/// A function of the analysis that a profile saw inside process().
struct OwnFunction {
  std::string name;  ///< "" where there is none
  double share = 0;  ///< of the samples inside process() that belong to it
};

/// The one with most samples; process() itself only where there is no other. Empty without a
/// profile.
OwnFunction largest_own_function(const Run& run);

/// The one below which most samples stand in code that reads and unpacks files; its share is of all
/// its samples.
OwnFunction largest_reader(const Run& run);

/// Samples in code that reads and unpacks files, of those inside process(); absent without a
/// profile.
double reading_code_share(const Run& run);

/// What the processor's tasks waited for, as shares of their samples; the samples of blocking calls
/// tell (a lock's, a socket's, another thread's). All absent without a profile.
struct BlockedShares {
  double all = absent;              ///< in any blocking call
  double reading_inside = absent;   ///< below code that reads files, in process()
  double reading_outside = absent;  ///< likewise, outside it
  double locks = absent;            ///< below code that takes a lock
  double inside = absent;           ///< samples in process()
  std::string lock_function;        ///< of the analysis, with most of the samples in locks
};
BlockedShares blocked_shares(const Run& run);

}  // namespace crema::facts
