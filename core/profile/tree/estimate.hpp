#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// Shares out what leaf recovery leaves open (docs/meanings.md, Leaves): the unresolved samples of
/// a node go to the children that can have been the leaf, in proportion to how many samples were
/// *certainly* taken in the same function under the same caller anywhere in the profile, plus one.
/// What it adds is in `ResolvedTree::estimated`; min and max stay as they are and hold it.
class LeafEstimate {
 public:
  /// `same_as[frame]` is the frame that stands for it (`FrameFacts::same_as`).
  explicit LeafEstimate(std::span<const FrameId> same_as) : same_as_(same_as) {}

  /// Learns from a tree resolved by `LeafChoice::forced`.
  void learn(const ResolvedTree& forced);

  /// Shares out the unresolved parts of such a tree. One whose silent children are missing stays as
  /// it is: the leaf may be a child that is not there.
  void apply(ResolvedTree& forced) const;

 private:
  FrameId of(FrameId frame) const { return same_as_.empty() ? frame : same_as_[frame]; }

  std::span<const FrameId> same_as_;
  ChildIndex pairs_;  // of a caller and its callee
  std::vector<double> certain_;
};

}  // namespace crema::profile
