#pragma once

#include <vector>

#include "core/profile/tree/walk.hpp"

namespace crema::profile {

/// What each function took part in, in columns; functions in order of FrameId, those of the tree
/// only. The root is none.
struct Functions {
  std::vector<FrameId> frame;
  std::vector<double> total;  ///< samples with the function on the stack, once under recursion
  std::vector<double> self, self_min, self_max;
  std::vector<double> unresolved;  ///< in direct callees, unknown which
  /// charged to it as the innermost frame of the analysis code; 0 for other code
  std::vector<double> own;
  /// the part of `own` that can be of another function of the analysis, which it calls
  std::vector<double> unclear;
  std::vector<double> estimated;   ///< the part of self that is shared out, not certain
  std::vector<double> boxes;       ///< how many stacks end in or pass through it: nodes of the tree
  std::vector<bool> is_recursive;  ///< it occurs under itself

  std::size_t size() const { return frame.size(); }
};

/// An unresolved part is charged to the innermost analysis frame of the node it hangs on, as if the
/// leaf were a library's.
Functions functions_of(const ResolvedTree& tree, const FrameFacts& facts);

/// By FrameId, for functions of the analysis: the function of the analysis that calls it most;
/// itself where none does. Apart from `functions_of`, because each pair of functions is counted,
/// of which a large tree has millions.
std::vector<FrameId> main_callers(const ResolvedTree& tree, const FrameFacts& facts);

}  // namespace crema::profile
