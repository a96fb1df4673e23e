#pragma once

#include <span>
#include <vector>

#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// The tree that several make together, before its numbers: nodes with the same path of frames are
/// one. Roots are one whole, whatever they are called.
struct TreeUnion {
  ResolvedTree tree;  ///< every number is 0
  /// [tree][node] the node of `tree` that it is part of
  std::vector<std::vector<NodeId>> place;
};

/// `same_as[frame]` is the frame that stands for it (`FrameFacts::same_as`). Nodes stand in order
/// of first sight: node by node of the first eight trees in turn, then of the next eight. Linear in
/// the number of nodes.
TreeUnion united(std::span<const CallTree* const> trees, std::span<const FrameId> same_as);

/// Adds every number of `tree`, totals too: those of its node i to the node `place[i]` of `into`.
void add_numbers(const ResolvedTree& tree, const std::vector<NodeId>& place, ResolvedTree& into);

}  // namespace crema::profile
