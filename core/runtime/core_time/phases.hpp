#pragma once

#include <string>
#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

/// A stretch of the run: "waiting for workers", "pre-processing", "ramp", "steady", "drain" or
/// "after".
struct Phase {
  std::string name;
  double t0, t1;                 ///< [s] run axis
  double core_seconds = absent;  ///< available in it
  std::string note;              ///< how its ends were found
  bool full = false;             ///< chunks had run on `full_share` of the cores by its end
};

/// The phases of a run in order, without gaps or overlaps; those of no length are left out. Empty
/// without a window. Kept by the run.
///
/// Waiting ends with the first core; pre-processing with the first chunk; the ramp when chunks
/// first run on `full_share` of the cores; the drain begins when they last do, and ends with the
/// last chunk.
inline constexpr double full_share = 0.9;
const std::vector<Phase>& find_phases(const Run& run);

}  // namespace crema::runtime
