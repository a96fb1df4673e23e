#pragma once

#include <vector>

#include "core/profile/tree/walk.hpp"

namespace crema::profile {

/// The stacks of a tree that have samples of their own, in the order of a left-heavy flame graph:
/// of each node its callees, then what is unresolved in them, then its self time. `visit(stack,
/// weight, is_unresolved, node)`: `stack` holds the frames from the outermost on (without the root)
/// to that of `node`; unresolved weights were sampled in unknown callees of it.
template <class Visit>
void for_each_stack(const ResolvedTree& tree, const FrameFacts& facts, const Visit& visit) {
  Children children = children_of(tree.parent);
  sort_siblings(children, tree, facts, SiblingOrder::heavy);
  const Preorder walk = preorder(children);
  std::vector<NodeId> open;    // the path to the current node, with the root
  std::vector<FrameId> stack;  // its frames, without the root's
  const auto leave = [&] {
    const NodeId node = open.back();
    if (tree.unresolved(node) > 0) visit(stack, tree.unresolved(node), true, node);
    if (tree.self[node] > 0) visit(stack, tree.self[node], false, node);
    open.pop_back();
    if (!stack.empty()) stack.pop_back();
  };
  for (std::size_t i = 0; i < walk.node.size(); ++i) {
    while (open.size() > walk.depth[i]) leave();
    open.push_back(walk.node[i]);
    if (i > 0) stack.push_back(tree.frame[walk.node[i]]);
  }
  while (!open.empty()) leave();
}

}  // namespace crema::profile
