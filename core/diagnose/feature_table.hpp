#pragma once

#include "core/diagnose/diagnose.hpp"

namespace crema::diagnose {

struct ChunkFeatures {
  std::vector<ChunkFeature> all;  ///< that two chunks or more differ in
  /// Chunks that began at about the same time; those of no known start are the last of them.
  std::vector<std::vector<std::uint32_t>> moments;
};

/// All that is recorded of chunks. Kept by the run.
const ChunkFeatures& chunk_features(const Run& run);

}  // namespace crema::diagnose
