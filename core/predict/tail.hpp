#pragma once

#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/runtime/chunks.hpp"

namespace crema::predict {

using namespace runtime;

/// How a run ended, and what it cost.
struct Tail {
  double t95 = absent;           ///< [s] run axis: 95 % of the chunks were done
  double end = absent;           ///< [s] the last chunk's end
  double core_seconds = absent;  ///< [core-s] available from t95 to the end
  double core_seconds_wasted =
      absent;  ///< ∫ (cores − chunks running) over [t95, end], where it is positive
  double ideal_makespan = absent;  ///< [s] the longest chunks first, by the replay of the run; of a
                                   ///< selection, on as many cores; at most the actual one
  double actual_makespan = absent;  ///< [s] first start to last end
  double cores = absent;            ///< the number of cores of the ideal schedule
  std::size_t critical_chunk = 0;   ///< the one that ended last
  bool any = false;                 ///< there are chunks with times
};
Tail find_tail(const Run& run, const ChunkSelection& chosen, const Options& options);

}  // namespace crema::predict
