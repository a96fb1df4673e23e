#pragma once

#include <cstdint>

#include "core/base/numbers.hpp"
#include "core/runtime/core_time.hpp"

namespace crema::predict {

using namespace runtime;

/// How much sooner a run ends, were one part of its core-time shorter.
struct Saving {
  double saved = absent;  ///< [s] of elapsed time, by replay
  /// [s] bounds: only what is certainly of the part, and of that only what was on a CPU; all that
  /// can be of it. Both widened by what the replay of the run as it was is off.
  double low = absent, high = absent;
  double elapsed = absent;  ///< [s] the run took

  enum class Basis : std::uint8_t {
    replay,
    not_recorded,  ///< chunks, cores or the run's length
    no_work,       ///< the part is none that could take less time
    bad_replay,    ///< that of the unchanged run is too far off
  };
  Basis basis = Basis::replay;
  double replay_error = absent;  ///< relative, of the unchanged run
};

/// The recorded chunks replayed on the recorded cluster, the part `factor` times as long. Absent
/// without chunks or cores, for a part that is no work, and where the replay of the run as it was
/// is more than 15 % off.
Saving find_saving(const Run& run, const Options& options, const CoreTimeTree& tree,
                   std::uint32_t node, double factor);

}  // namespace crema::predict
