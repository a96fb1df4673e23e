#pragma once

#include <cstdint>
#include <vector>

#include "core/profile/tree/layout.hpp"

namespace crema::profile {

/// What of a tree matches a search.
struct Matches {
  std::vector<std::uint8_t> frame;  ///< by FrameId, 1 = it matches
  /// by NodeId, 1 = the node's frame matches, or that of a node below it
  std::vector<std::uint8_t> within;
  double hits = 0;   ///< matching nodes that anything was sampled in
  double total = 0;  ///< of the matching nodes, counted once where one is inside another
};

/// `frames[frame]`: whether the frame matches. The root is no function and matches nothing.
Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames);

/// By box of the layout, 1 = it matches; of a run: one of its boxes, or one below, does. `children`
/// is what was laid out, nullptr where its runs are not of nodes.
std::vector<std::uint8_t> marks_of(const Layout& layout, const ResolvedTree& tree,
                                   const Children* children, const Matches& found);

}  // namespace crema::profile
