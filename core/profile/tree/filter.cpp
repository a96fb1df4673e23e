#include "core/profile/tree/filter.hpp"

#include <algorithm>

#include "core/profile/tree/growing_tree.hpp"
#include "core/profile/tree/path_numbers.hpp"
#include "core/profile/tree/walk.hpp"

namespace crema::profile {

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

constexpr auto all = [](std::size_t) { return true; };

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
      all);
}

Transformed fold(const ResolvedTree& tree, const std::vector<bool>& matching) {
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        const NodeId above = place[tree.parent[i]];
        return matching[tree.frame[i]] ? above : growing.child(above, tree.frame[i]);
      },
      all);
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
      all);
}

Transformed regroup(const ResolvedTree& tree, const FrameFacts& facts) {
  return rebuilt(
      tree,
      [&](GrowingTree& growing, const auto& place, std::size_t i) {
        const NodeId above = place[tree.parent[i]];
        const FrameId frame = facts.same_as[tree.frame[i]];
        return above != 0 && growing.tree().frame[above] == frame ? above
                                                                  : growing.child(above, frame);
      },
      all);
}

}  // namespace crema::profile
