#pragma once

#include <vector>

#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// Two trees on one: nodes with the same stack of functions are one, and each knows what it was in
/// either. Columns by NodeId. `a` and `b` are times their factors; what a tree does not have is 0
/// there.
struct TreeDiff {
  ResolvedTree tree;      ///< its totals are as wide as `width` says
  std::vector<double> a;  ///< total in A
  std::vector<double> b;
  std::vector<double> a_self, b_self;  ///< self and unresolved
};

enum class DiffWidth : std::uint8_t {
  b,     ///< as wide as in B
  a,     ///< as wide as in A
  both,  ///< the mean of both: nothing is without width that either has
};

/// `a_factor`, `b_factor` scale the numbers: 1 / total compares shares, seconds per sample compares
/// time. Children stand in the order in which A, then B has them, so that the order of arguments
/// changes only signs.
TreeDiff diff(const ResolvedTree& a, double a_factor, const ResolvedTree& b, double b_factor,
              const std::vector<FrameId>& same_as, DiffWidth width);

/// `FrameFacts::same_as` for comparing runs of edited code in other folders: functions of the same
/// name in a file of the same normalised path (of the user's own files the last part) are the same,
/// whatever their line; where both trees have several of that name in a file, the first is the
/// first.
std::vector<FrameId> same_in_both(const FrameFacts& facts, const ResolvedTree& a,
                                  const ResolvedTree& b);

}  // namespace crema::profile
