#pragma once

#include <cstdint>
#include <vector>

#include "core/flame/resolved_tree.hpp"

namespace crema {

/// What of a tree matches a search.
struct Matches {
  std::vector<std::uint8_t> node;    ///< by NodeId, 1 = the node's frame matches
  std::vector<std::uint8_t> within;  ///< 1 = it does, or that of a node below it
  double hits = 0;                   ///< matching nodes that anything was sampled in
  double total = 0;                  ///< of the matching nodes, counted once where one is inside another
};

/// `frames[frame]`: whether the frame matches. The root is no function and matches nothing.
Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames);

}  // namespace crema
