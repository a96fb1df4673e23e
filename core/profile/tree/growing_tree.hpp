#pragma once

#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// A ResolvedTree while it grows: children are found by their frame.
class GrowingTree {
 public:
  /// The child `frame` of `parent`, added when new; `child(no_node, frame)` makes the root.
  NodeId child(NodeId parent, FrameId frame);

  /// Adds what is charged to node `i` of `tree` itself (not its total) to `node`.
  void charge(NodeId node, const ResolvedTree& tree, std::size_t i);

  ResolvedTree& tree() { return tree_; }

  /// The tree, settled: `place` holds nodes of it (`ResolvedTree::settle`).
  ResolvedTree take(std::vector<NodeId>& place);

 private:
  ResolvedTree tree_;
  ChildIndex children_;
};

}  // namespace crema::profile
