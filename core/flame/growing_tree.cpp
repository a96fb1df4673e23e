#include "core/flame/growing_tree.hpp"

#include <utility>

namespace crema {

namespace {

constexpr std::vector<double> ResolvedTree::*charged[] = {&ResolvedTree::self, &ResolvedTree::self_min, &ResolvedTree::self_max,
                                                          &ResolvedTree::unresolved, &ResolvedTree::estimated};

}  // namespace

NodeId GrowingTree::child(NodeId parent, FrameId frame) {
  const auto added = static_cast<NodeId>(tree_.size());
  const NodeId node = children_.find_or_add(parent, frame, added);
  if (node != added) return node;
  tree_.parent.push_back(parent);
  tree_.frame.push_back(frame);
  tree_.total.push_back(0);
  for (const auto column : charged) (tree_.*column).push_back(0);
  return node;
}

void GrowingTree::charge(NodeId node, const ResolvedTree& tree, std::size_t i) {
  for (const auto column : charged) (tree_.*column)[node] += (tree.*column)[i];
}

void GrowingTree::add(const ResolvedTree& tree, const std::vector<NodeId>& place) {
  // Column by column: nothing waits for anything then, and in a large tree every sum is far from the next.
  const auto add_column = [&](std::vector<double> ResolvedTree::*column) {
    double* const sums = (tree_.*column).data();
    const double* const values = (tree.*column).data();
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += values[i];
  };
  add_column(&ResolvedTree::total);
  for (const auto column : charged) add_column(column);
}

ResolvedTree GrowingTree::take(std::vector<NodeId>& place) {
  const std::size_t n = tree_.size();
  std::vector<bool> kept(n, false);
  for (std::size_t i = n; i-- > 0;) {
    double& total = tree_.total[i];
    total += tree_.self[i] + tree_.unresolved[i];
    if (total > 0 || tree_.self_max[i] > 0 || i == 0) kept[i] = true;
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
    for (const auto column : charged) (tree_.*column)[size] = (tree_.*column)[i];
    ++size;
  }
  tree_.parent.resize(size);
  tree_.frame.resize(size);
  tree_.total.resize(size);
  for (const auto column : charged) (tree_.*column).resize(size);
  for (NodeId& node : place) {
    if (node != no_node) node = moved[node];
  }
  children_ = ChildIndex();
  return std::exchange(tree_, {});
}

}  // namespace crema
