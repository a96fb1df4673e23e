#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/analyse/chunk_selection.hpp"

namespace crema {

/// Seconds per section over the selected chunks, in order of first appearance.
struct SectionSums {
  std::vector<std::pair<std::string, double>> seconds;
  bool may_overlap = false;  ///< in some chunk the sections exceed the duration: nested, or used twice (domain.md 3.28)
};
SectionSums sum_sections(const Run& run, const ChunkSelection& chosen);

}  // namespace crema
