#include "core/flame/merge.hpp"

#include <algorithm>

namespace crema::flame {

TreeMerger::TreeMerger(std::span<const FrameId> same_as) : same_as_(same_as) {}

void TreeMerger::add(std::span<const ResolvedTree> trees) {
  places_.resize(std::max(places_.size(), trees.size()));
  std::size_t longest = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    places_[t].resize(trees[t].size());
    longest = std::max(longest, trees[t].size());
  }
  // Node by node of all trees in turn: each node waits for its parent's place, which in a large
  // tree is far away in memory, and while it waits those of the other trees are fetched, too.
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t t = 0; t < trees.size(); ++t) {
      const ResolvedTree& tree = trees[t];
      if (i >= tree.size()) continue;
      const FrameId frame = same_as_.empty() ? tree.frame[i] : same_as_[tree.frame[i]];
      // Roots are one whole, whatever they are called.
      places_[t][i] = i == 0 ? (growing_.tree().size() == 0 ? growing_.child(no_node, frame) : 0)
                             : growing_.child(places_[t][tree.parent[i]], frame);
    }
  }
  for (std::size_t t = 0; t < trees.size(); ++t) growing_.add(trees[t], places_[t]);
}

ResolvedTree TreeMerger::take() {
  ResolvedTree merged = std::move(growing_.tree());
  growing_ = GrowingTree();
  return merged;
}

}  // namespace crema::flame
