#pragma once

#include <vector>

#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// A tree turned round, and how far it could be.
struct Inverted {
  ResolvedTree tree;
  std::size_t callers = 0;  ///< how many callers deep it was cut; 0 = not at all
};

/// Bottom-up: the innermost frames stand below the root, their callers below them. What is
/// unresolved in the callees of a stack begins with the frame `facts.unresolved()`. Turned twice, a
/// tree is what it was.
///
/// Every stack with time of its own becomes a path, and paths of deep trees have few nodes in
/// common: beyond 2 million steps the callers further out are left out.
Inverted invert(const ResolvedTree& tree, const FrameFacts& facts);

/// Who calls the matching functions, bottom-up: stacks from the outermost matching frame outwards,
/// with its total. What they total is what the functions total, recursion counted once.
Inverted callers_of(const ResolvedTree& tree, const std::vector<bool>& matching);

}  // namespace crema::profile
