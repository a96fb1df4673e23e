#pragma once

#include <cstdint>
#include <vector>

#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// A tree made of another, and where each node of that one went (no_node = left out; empty where
/// nodes have no place).
struct Transformed {
  ResolvedTree tree;
  std::vector<NodeId> place;
};

// `matching` is by FrameId. Nothing is counted twice and, but for what is left out, nothing is
// lost.

/// Only samples with a matching frame on their stack.
Transformed keep(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Only samples without one.
Transformed drop(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Matching frames are taken out of the stacks; their time becomes their caller's.
Transformed fold(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Stacks begin at their outermost matching frame; samples without one are left out.
Transformed focus(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Only what is at or below the node with that path number (`PathNumbers`), which stands right
/// below the root.
Transformed subtree(const ResolvedTree& tree, const FrameFacts& facts, double path);
/// A function that is on the stack already is one with its outermost call: a→b→a→c becomes a→c.
/// Self times of functions stay.
Transformed collapse_recursion(const ResolvedTree& tree);
/// Every frame becomes the one that stands for it (`facts.same_as`); a callee of the same group is
/// one with its caller.
Transformed regroup(ResolvedTree tree, const FrameFacts& facts);

}  // namespace crema::profile
