#include "core/flame/merge.hpp"

namespace crema {

TreeMerger::TreeMerger(std::span<const FrameId> same_as) : same_as_(same_as) {}

NodeId TreeMerger::child(NodeId parent, FrameId frame) {
  const auto added = static_cast<NodeId>(merged_.size());
  const NodeId node = children_.find_or_add(parent, frame, added);
  if (node != added) return node;
  merged_.parent.push_back(parent);
  merged_.frame.push_back(frame);
  for (auto* column : {&merged_.total, &merged_.self, &merged_.self_min, &merged_.self_max, &merged_.unresolved})
    column->push_back(0);
  return node;
}

void TreeMerger::add(const ResolvedTree& tree) {
  place_.resize(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const FrameId frame = same_as_.empty() ? tree.frame[i] : same_as_[tree.frame[i]];
    // Roots are one whole, whatever they are called.
    const NodeId node = i == 0 ? (merged_.size() == 0 ? child(no_node, frame) : 0) : child(place_[tree.parent[i]], frame);
    place_[i] = node;
    merged_.total[node] += tree.total[i];
    merged_.self[node] += tree.self[i];
    merged_.self_min[node] += tree.self_min[i];
    merged_.self_max[node] += tree.self_max[i];
    merged_.unresolved[node] += tree.unresolved[i];
  }
}

ResolvedTree TreeMerger::take() {
  ResolvedTree merged = std::move(merged_);
  *this = TreeMerger(same_as_);
  return merged;
}

}  // namespace crema
