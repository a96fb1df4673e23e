#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/runtime/chunks/chunk_selection.hpp"

namespace crema::runtime {

/// Seconds per section over the selected chunks, in order of first appearance.
struct SectionSums {
  std::vector<std::pair<std::string, double>> seconds;
  bool may_overlap = false;  ///< in some chunk the sections exceed the duration: nested, or used
                             ///< twice (docs/meanings.md, Sections)
};
/// Whether the sections of a chunk come to more than its duration: clocks of a section and of its
/// chunk are read at different moments, so that a thousandth is no overlap.
bool sections_exceed(double sections, double duration);

SectionSums sum_sections(const Run& run, const ChunkSelection& chosen);

}  // namespace crema::runtime
