#pragma once

#include <string>

#include "core/runtime/core_time.hpp"

namespace crema::report {

using namespace runtime;

/// The first finding of a run as a sentence; where there is none, the largest part of its
/// core-time. And where the rest went.
struct CoreTimeVerdict {
  std::string text;  ///< "" where nothing is known
  std::string limits;
};

/// Of the whole run's tree by functions.
CoreTimeVerdict core_time_verdict(const Run& run, const Options& options, const CoreTimeTree& tree);

}  // namespace crema::report
