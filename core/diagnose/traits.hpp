#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::diagnose {

/// What chunks can differ in: which chunks have which of few values. A chunk whose value was not
/// recorded is with none.
struct Trait {
  std::string_view name;           ///< "dataset", "time", "memory before"
  std::vector<std::string> value;  ///< a text for each value
  std::vector<std::uint32_t>
      first;  ///< where a value's chunks begin; one more than there are values
  std::vector<std::uint32_t> chunk;  ///< the chunks, value after value, in recorded order
  /// What selects by it: parts of a Selection, and columns of which it may have a range.
  std::span<const std::string_view> selected_by;

  std::span<const std::uint32_t> members(std::size_t of) const {
    return {chunk.data() + first[of], chunk.data() + first[of + 1]};
  }
};

struct ChunkTraits {
  std::vector<Trait> all;  ///< that two chunks or more differ in
  /// Chunks that began at about the same time; those of no known start are the last of them.
  std::vector<std::vector<std::uint32_t>> moments;
};

/// All that is recorded of chunks. Kept by the run.
const ChunkTraits& chunk_traits(const Run& run);

/// All but what the selection itself is about.
std::vector<const Trait*> traits_beside(const Run& run, const Selection& selection);

}  // namespace crema::diagnose
