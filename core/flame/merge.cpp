#include "core/flame/merge.hpp"

namespace crema {

TreeMerger::TreeMerger(std::span<const FrameId> same_as) : same_as_(same_as) {}

void TreeMerger::add(const ResolvedTree& tree) {
  place_.resize(tree.size());
  ResolvedTree& merged = growing_.tree();
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const FrameId frame = same_as_.empty() ? tree.frame[i] : same_as_[tree.frame[i]];
    // Roots are one whole, whatever they are called.
    const NodeId node =
        i == 0 ? (merged.size() == 0 ? growing_.child(no_node, frame) : 0) : growing_.child(place_[tree.parent[i]], frame);
    place_[i] = node;
  }
  // Column by column: nothing waits for anything then, and in a large tree every sum is far from the next.
  for (const auto column : {&ResolvedTree::total, &ResolvedTree::self, &ResolvedTree::self_min, &ResolvedTree::self_max,
                            &ResolvedTree::unresolved, &ResolvedTree::estimated}) {
    double* const sums = (merged.*column).data();
    const double* const values = (tree.*column).data();
    for (std::size_t i = 0; i < place_.size(); ++i) sums[place_[i]] += values[i];
  }
}

ResolvedTree TreeMerger::take() {
  ResolvedTree merged = std::move(growing_.tree());
  growing_ = GrowingTree();
  return merged;
}

}  // namespace crema
