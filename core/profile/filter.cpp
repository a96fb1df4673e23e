// Compiled for speed: it runs for every node of a call tree.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/profile/transform.hpp"
#include "core/profile/tree.hpp"

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

namespace {

/// Builds a tree node by node: `put(growing, place, i)` answers where node i goes, no_node =
/// nowhere; `counts(i)` whether what is charged to it counts.
template <class Put, class Counts>
Transformed rebuilt(const ResolvedTree& tree, const Put& put, const Counts& counts) {
  GrowingTree growing;
  std::vector<NodeId> place(tree.size(), no_node);
  if (tree.size() == 0) return {};
  place[0] = growing.child(no_node, tree.frame[0]);
  if (counts(0)) growing.charge(0, tree, 0);
  for (std::size_t i = 1; i < tree.size(); ++i) {
    place[i] = put(growing, place, i);
    if (place[i] != no_node && counts(i)) growing.charge(place[i], tree, i);
  }
  ResolvedTree made = growing.take(place);
  return {std::move(made), std::move(place)};
}

// Whether the node or one above it matches.
std::vector<bool> covered_by(const ResolvedTree& tree, const std::vector<bool>& matching) {
  std::vector<bool> covered(tree.size(), false);
  for (std::size_t i = 1; i < tree.size(); ++i)
    covered[i] = matching[tree.frame[i]] || covered[tree.parent[i]];
  return covered;
}

constexpr auto every_node = [](std::size_t) { return true; };

}  // namespace

Transformed keep(const ResolvedTree& tree, const std::vector<bool>& matching) {
  const std::vector<bool> covered = covered_by(tree, matching);
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        return growing.child(place[tree.parent[i]], tree.frame[i]);
      },
      [&](std::size_t i) { return bool(covered[i]); });
}

Transformed drop(const ResolvedTree& tree, const std::vector<bool>& matching) {
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        const NodeId above = place[tree.parent[i]];
        return above == no_node || matching[tree.frame[i]] ? no_node
                                                           : growing.child(above, tree.frame[i]);
      },
      every_node);
}

Transformed fold(const ResolvedTree& tree, const std::vector<bool>& matching) {
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        const NodeId above = place[tree.parent[i]];
        return matching[tree.frame[i]] ? above : growing.child(above, tree.frame[i]);
      },
      every_node);
}

Transformed focus(const ResolvedTree& tree, const std::vector<bool>& matching) {
  const std::vector<bool> covered = covered_by(tree, matching);
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        if (!covered[i]) return no_node;
        const NodeId above = covered[tree.parent[i]] ? place[tree.parent[i]] : 0;
        return growing.child(above, tree.frame[i]);
      },
      [](std::size_t i) { return i > 0; });
}

Transformed subtree(const ResolvedTree& tree, const FrameFacts& facts, double path) {
  const std::vector<double> paths = PathNumbers(tree, facts).all();
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        if (paths[i] == path) return growing.child(0, tree.frame[i]);
        const NodeId parent = tree.parent[i];
        return parent == 0 || place[parent] == no_node
                   ? no_node
                   : growing.child(place[parent], tree.frame[i]);
      },
      [](std::size_t i) { return i > 0; });
}

Transformed collapse_recursion(const ResolvedTree& tree) {
  // The outermost node of the same function on each node's stack, itself where there is none.
  std::vector<NodeId> outermost(tree.size(), 0);
  FrameId frames = 0;
  for (const FrameId frame : tree.frame) frames = std::max(frames, frame + 1);
  std::vector<NodeId> on_stack(frames, no_node);
  const Preorder walk = preorder(children_of(tree.parent));
  std::vector<NodeId> stack;
  for (std::size_t k = 1; k < walk.node.size(); ++k) {
    while (stack.size() >= walk.depth[k]) {
      NodeId& top = on_stack[tree.frame[stack.back()]];
      if (top == stack.back()) top = no_node;
      stack.pop_back();
    }
    const NodeId node = walk.node[k];
    NodeId& known = on_stack[tree.frame[node]];
    if (known == no_node) known = node;
    outermost[node] = known;
    stack.push_back(node);
  }
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        return outermost[i] != i ? place[outermost[i]]
                                 : growing.child(place[tree.parent[i]], tree.frame[i]);
      },
      every_node);
}

namespace {

/// For each node the first node of its group: what lies at the same place once a callee of the same
/// frame is one with its caller and siblings of the same frame are one. Children are compared with
/// each other, not looked up: in most trees few nodes are alike, and an index of millions of others
/// would have to be filled for these few.
std::vector<NodeId> groups_of(const ResolvedTree& tree) {
  const std::size_t n = tree.size();
  // The children of a node, and in time those of its group, as a list.
  std::vector<NodeId> child(n, no_node);
  std::vector<NodeId> sibling(n, no_node);
  for (std::size_t i = n; i-- > 1;)
    sibling[i] = std::exchange(child[tree.parent[i]], static_cast<NodeId>(i));
  const auto give_children = [&](NodeId from, NodeId& to) {
    if (child[from] == no_node) return;
    NodeId last = child[from];
    while (sibling[last] != no_node) last = sibling[last];
    sibling[last] = std::exchange(to, child[from]);
  };

  std::vector<NodeId> group(n);
  std::iota(group.begin(), group.end(), NodeId{0});
  std::vector<NodeId> seen(1 + *std::max_element(tree.frame.begin(), tree.frame.end()), no_node);
  std::vector<NodeId> below;
  // All of a group is known when the loop comes to its first node, because the group of its callers
  // begins earlier.
  for (NodeId first = 0; first < n; ++first) {
    if (group[first] != first) continue;
    below.clear();
    for (NodeId node = child[first]; node != no_node; node = sibling[node]) {
      if (first == 0 || tree.frame[node] != tree.frame[first]) {
        below.push_back(node);
        continue;
      }
      group[node] = first;
      give_children(node, sibling[node]);
    }
    if (below.size() < 2) continue;
    if (!std::is_sorted(below.begin(), below.end())) std::sort(below.begin(), below.end());
    for (const NodeId node : below) {
      NodeId& known = seen[tree.frame[node]];
      if (known == no_node) {
        known = node;
        continue;
      }
      group[node] = known;
      give_children(node, child[known]);
    }
    for (const NodeId node : below) seen[tree.frame[node]] = no_node;
  }
  return group;
}

}  // namespace

Transformed regroup(ResolvedTree tree, const FrameFacts& facts) {
  if (tree.size() == 0) return {};
  for (std::size_t i = 1; i < tree.size(); ++i) tree.frame[i] = facts.same_as[tree.frame[i]];
  // Groups go to the front of the same columns: their first nodes come in the order of the groups.
  std::vector<NodeId> place = groups_of(tree);
  NodeId size = 0;
  for (NodeId i = 0; i < tree.size(); ++i) {
    if (place[i] != i) {
      const NodeId node = place[i] = place[place[i]];
      tree.self[node] += tree.self[i];
      if (!tree.unsettled.empty()) tree.unsettled[node] += tree.unsettled[i];
      continue;
    }
    const NodeId node = place[i] = size++;
    tree.parent[node] = i == 0 ? no_node : place[tree.parent[i]];
    tree.frame[node] = tree.frame[i];
    tree.self[node] = tree.self[i];
    if (!tree.unsettled.empty()) tree.unsettled[node] = tree.unsettled[i];
  }
  tree.resize(size);
  tree.settle(place);
  return {std::move(tree), std::move(place)};
}

}  // namespace crema::profile
