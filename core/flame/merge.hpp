#pragma once

#include <span>
#include <vector>

#include "core/flame/growing_tree.hpp"

namespace crema::flame {

/// Adds trees up: nodes with the same path of frames become one, every number is summed. Children
/// stand in order of first sight, sums run in the order of `add`. Linear in the number of nodes.
class TreeMerger {
 public:
  /// `same_as[frame]` is the frame that stands for it (`FrameFacts::same_as`); empty = each for
  /// itself.
  explicit TreeMerger(std::span<const FrameId> same_as = {});

  void add(const ResolvedTree& tree) { add({&tree, 1}); }
  /// Several at once, which is faster than one after the other.
  void add(std::span<const ResolvedTree> trees);
  ResolvedTree take();

  /// The merged node of each node of the tree that was added last, of several at once the first.
  const std::vector<NodeId>& place() const { return places_[0]; }

 private:
  std::span<const FrameId> same_as_;
  GrowingTree growing_;
  std::vector<std::vector<NodeId>> places_;
};

}  // namespace crema::flame
