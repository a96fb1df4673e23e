#include "core/flame/merge.hpp"

namespace crema {

TreeMerger::TreeMerger(std::span<const FrameId> same_as) : same_as_(same_as) {}

void TreeMerger::add(const ResolvedTree& tree) {
  place_.resize(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const FrameId frame = same_as_.empty() ? tree.frame[i] : same_as_[tree.frame[i]];
    // Roots are one whole, whatever they are called.
    const NodeId node = i == 0 ? (growing_.tree().size() == 0 ? growing_.child(no_node, frame) : 0)
                               : growing_.child(place_[tree.parent[i]], frame);
    place_[i] = node;
  }
  growing_.add(tree, place_);
}

ResolvedTree TreeMerger::take() {
  ResolvedTree merged = std::move(growing_.tree());
  growing_ = GrowingTree();
  return merged;
}

}  // namespace crema
