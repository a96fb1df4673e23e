#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/run.hpp"

namespace crema::runtime {

/// What chunks can be grouped by.
enum class ChunkKey : std::uint8_t {
  dataset,
  file,
  host,
  site,
  compression  ///< of the file, in tenths of its uncompressed size; codecs are not recorded
};

/// The chunks of a run in groups, by name: the same order whatever is selected and whatever else is
/// open.
struct ChunkGroups {
  std::vector<std::string_view> name;  ///< ascending; "" of chunks whose record does not say
  std::vector<std::uint32_t> of;       ///< the group of each chunk
  /// where a group's members begin; one more than there are groups
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> chunk;  ///< the members, group after group, in recorded order

  std::size_t size() const { return name.size(); }
  std::span<const std::uint32_t> members(std::size_t group) const {
    return {chunk.data() + first[group], chunk.data() + first[group + 1]};
  }
};

/// Kept by the run: names are looked at once, however often chunks are grouped.
const ChunkGroups& chunk_groups(const Run& run, ChunkKey key);

}  // namespace crema::runtime
