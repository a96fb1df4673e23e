#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/profile/tree/walk.hpp"

namespace crema::profile {

/// The boxes of a flame graph in preorder, in columns. A node's children stand from its left edge
/// on, then the box of its unresolved part, then the gap that is its self time. Nodes without width
/// (frames that were only ever seen as leaf, with nothing certain) have no box.
struct Layout {
  std::vector<NodeId> node;          ///< of a run: its parent
  std::vector<std::uint32_t> depth;  ///< root 0; an unresolved part one below its node
  std::vector<double> begin, end;    ///< in the tree's unit, root from 0 to its total
  std::vector<bool> is_unresolved;   ///< the box is the unresolved part of `node`
  /// how many boxes too narrow to be seen it stands for; 0 = it is one box
  std::vector<std::uint32_t> run;
  std::vector<std::uint32_t> run_first;  ///< where a run begins in `Children::child`

  std::size_t size() const { return node.size(); }
};

/// The children of every node, siblings in order: what is drawn again and again from.
Children ordered_children(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order);

/// What of a layout is wanted.
struct Window {
  double begin = 0;  ///< in the tree's unit
  double end = std::numeric_limits<double>::infinity();
  double min_width = 0;  ///< narrower boxes are left out, with all below them
  bool runs = false;     ///< ...and stand together in runs instead
};

/// The boxes that lie in the window. The work goes with what is to be seen, not with the tree.
Layout lay_out(const ResolvedTree& tree, const Children& children, const Window& window);
Layout lay_out(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order,
               double min_width = 0);

}  // namespace crema::profile
