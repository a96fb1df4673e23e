// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/growing_tree.hpp"

#include <utility>

namespace crema::profile {

NodeId GrowingTree::child(NodeId parent, FrameId frame) {
  const auto added = static_cast<NodeId>(tree_.size());
  const NodeId node = children_.find_or_add(parent, frame, added);
  if (node != added) return node;
  tree_.parent.push_back(parent);
  tree_.frame.push_back(frame);
  tree_.total.push_back(0);
  tree_.self.push_back(0);
  if (!tree_.unsettled.empty()) tree_.unsettled.emplace_back();
  return node;
}

void GrowingTree::charge(NodeId node, const ResolvedTree& tree, std::size_t i) {
  if (!tree.unsettled.empty()) tree_.unsettle();
  tree_.self[node] += tree.self[i];
  if (!tree_.unsettled.empty()) tree_.unsettled[node] += tree.unsettled_at(i);
}

ResolvedTree GrowingTree::take(std::vector<NodeId>& place) {
  children_ = ChildIndex();
  tree_.settle(place);
  return std::exchange(tree_, {});
}

}  // namespace crema::profile
