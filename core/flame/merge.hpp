#pragma once

#include <span>
#include <vector>

#include "core/flame/resolved_tree.hpp"
#include "core/model/child_index.hpp"

namespace crema {

/// Adds trees up: nodes with the same path of frames become one, every number is summed. Children stand in order of first
/// sight, sums run in the order of `add`. Linear in the number of nodes.
class TreeMerger {
 public:
  /// `same_as[frame]` is the frame that stands for it (`FrameFacts::same_as`); empty = each for itself.
  explicit TreeMerger(std::span<const FrameId> same_as = {});

  void add(const ResolvedTree& tree);
  ResolvedTree take();

 private:
  NodeId child(NodeId parent, FrameId frame);

  std::span<const FrameId> same_as_;
  ResolvedTree merged_;
  ChildIndex children_;
  std::vector<NodeId> place_;  // merged node of each node of the tree being added
};

}  // namespace crema
