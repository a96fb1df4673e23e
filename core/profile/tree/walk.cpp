// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/walk.hpp"

#include <algorithm>

namespace crema::profile {

Children children_of(const std::vector<NodeId>& parent) {
  const std::size_t n = parent.size();
  Children children;
  children.first.assign(n + 1, 0);
  children.child.resize(n == 0 ? 0 : n - 1);
  for (std::size_t i = 1; i < n; ++i) ++children.first[parent[i] + 1];
  for (std::size_t i = 0; i < n; ++i) children.first[i + 1] += children.first[i];
  std::vector<std::uint32_t> next(children.first.begin(), children.first.end());
  for (std::size_t i = 1; i < n; ++i) children.child[next[parent[i]]++] = static_cast<NodeId>(i);
  return children;
}

void sort_siblings(Children& children, const ResolvedTree& tree, const FrameFacts& facts,
                   SiblingOrder order) {
  const auto before = [&](NodeId a, NodeId b) {
    if (order == SiblingOrder::heavy && tree.total[a] != tree.total[b])
      return tree.total[a] > tree.total[b];
    const std::uint32_t left = facts.rank[tree.frame[a]];
    const std::uint32_t right = facts.rank[tree.frame[b]];
    return left != right ? left < right : a < b;
  };
  for (std::size_t node = 0; node + 1 < children.first.size(); ++node) {
    const std::uint32_t first = children.first[node];
    const std::uint32_t last = children.first[node + 1];
    if (last - first > 1)  // most nodes have one child
      std::sort(children.child.begin() + first, children.child.begin() + last, before);
  }
}

Preorder preorder(const Children& children) {
  Preorder walk;
  const std::size_t n = children.first.size() - 1;
  if (n == 0) return walk;
  walk.node.reserve(n);
  walk.depth.reserve(n);
  struct Step {
    NodeId node;
    std::uint32_t depth;
  };
  std::vector<Step> open{{0, 0}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    walk.node.push_back(step.node);
    walk.depth.push_back(step.depth);
    for (std::uint32_t i = children.first[step.node + 1]; i-- > children.first[step.node];) {
      open.push_back({children.child[i], step.depth + 1});
    }
  }
  return walk;
}

bool is_preorder(const std::vector<NodeId>& parent) {
  std::vector<NodeId> stack{0};
  for (std::size_t i = 1; i < parent.size(); ++i) {
    while (stack.back() != parent[i]) {
      if (stack.size() == 1) return false;
      stack.pop_back();
    }
    stack.push_back(static_cast<NodeId>(i));
  }
  return true;
}

std::uint32_t depth_of(const std::vector<NodeId>& parent) {
  std::vector<std::uint32_t> depth(parent.size(), 0);
  std::uint32_t deepest = 0;
  for (std::size_t i = 1; i < parent.size(); ++i) {
    depth[i] = depth[parent[i]] + 1;
    deepest = std::max(deepest, depth[i]);
  }
  return deepest;
}

}  // namespace crema::profile
