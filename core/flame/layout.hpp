#pragma once

#include <cstdint>
#include <vector>

#include "core/flame/walk.hpp"

namespace crema {

/// The boxes of a flame graph in preorder, in columns. A node's children stand from its left edge on, then the box of its
/// unresolved part, then the gap that is its self time. Nodes without width (frames that were only ever seen as leaf, with
/// nothing certain) have no box.
struct Layout {
  std::vector<NodeId> node;
  std::vector<std::uint32_t> depth;  ///< root 0; an unresolved part one below its node
  std::vector<double> begin, end;    ///< in the tree's unit, root from 0 to its total
  std::vector<bool> is_unresolved;   ///< the box is the unresolved part of `node`

  std::size_t size() const { return node.size(); }
};

/// Boxes narrower than `min_width` (in the tree's unit) are left out, with all above them.
Layout lay_out(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order, double min_width = 0);

}  // namespace crema
