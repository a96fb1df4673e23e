#pragma once

#include <string>

#include "core/runtime/core_time.hpp"

namespace crema::report {

using namespace runtime;

/// Where a run's core-time went, in one sentence with numbers, and the limits of that claim. A
/// cause that was not recorded is not claimed.
struct CoreTimeVerdict {
  std::string text;  ///< "" where nothing is known
  std::string limits;
};

/// Of the whole run's tree by functions.
CoreTimeVerdict core_time_verdict(const Run& run, const Options& options, const CoreTimeTree& tree);

}  // namespace crema::report
