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
  const std::size_t n = tree_.size();
  std::vector<bool> kept(n, false);
  for (std::size_t i = n; i-- > 0;) {
    double& total = tree_.total[i];
    total += tree_.self[i] + tree_.unresolved(i);
    if (total > 0 || tree_.self_max(i) > 0 || i == 0) kept[i] = true;
    if (i == 0) break;
    tree_.total[tree_.parent[i]] += total;
    if (kept[i]) kept[tree_.parent[i]] = true;
  }
  std::vector<NodeId> moved(n, no_node);
  std::size_t size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!kept[i]) continue;
    moved[i] = static_cast<NodeId>(size);
    tree_.parent[size] = i == 0 ? no_node : moved[tree_.parent[i]];
    tree_.frame[size] = tree_.frame[i];
    tree_.total[size] = tree_.total[i];
    tree_.self[size] = tree_.self[i];
    if (!tree_.unsettled.empty()) tree_.unsettled[size] = tree_.unsettled[i];
    ++size;
  }
  tree_.parent.resize(size);
  tree_.frame.resize(size);
  tree_.total.resize(size);
  tree_.self.resize(size);
  if (!tree_.unsettled.empty()) tree_.unsettled.resize(size);
  for (NodeId& node : place) {
    if (node != no_node) node = moved[node];
  }
  children_ = ChildIndex();
  return std::exchange(tree_, {});
}

}  // namespace crema::profile
