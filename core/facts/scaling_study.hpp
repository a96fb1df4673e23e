#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/facts/scalability.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::facts {

/// Runs of the same work on clusters of several sizes; a value per run.
struct ScalingStudy {
  std::vector<double> cores, events, bytes;  // time average; kHz; Gbps
  std::vector<double> rate;  // what is fitted: events where all runs have them, else bytes
  const char* unit = "kHz";
  double per_core = absent;  // of the smallest run: what ideal scaling would keep
  std::optional<Scalability> law;
};

ScalingStudy study_of(std::span<const Run* const> runs, const Selection& selection);

}  // namespace crema::facts
