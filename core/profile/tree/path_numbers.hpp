#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// For every node a number that tells its stack from all others, the same in every profile and run:
/// a hash (52 bits) of name, file and line from the root's callee down to it. The root's is 0.
class PathNumbers {
 public:
  /// Keeps references to both.
  PathNumbers(const ResolvedTree& tree, const FrameFacts& facts);

  /// That of one node: what is drawn of a large tree is little of it.
  double of(NodeId node);
  /// Those of all, by NodeId.
  std::vector<double> all();

 private:
  std::uint64_t below(std::uint64_t parent, FrameId frame);

  const ResolvedTree& tree_;
  const FrameFacts& facts_;
  std::vector<std::uint64_t> own_;  // of each frame, looked up once
  std::unordered_map<NodeId, std::uint64_t> known_;
  std::vector<NodeId> up_;
};

}  // namespace crema::profile
