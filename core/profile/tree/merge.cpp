// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/merge.hpp"

#include <algorithm>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema::profile {

namespace {

constexpr std::size_t together = 8;  // trees; more gain nothing

}  // namespace

TreeUnion united(std::span<const CallTree* const> trees, std::span<const FrameId> same_as) {
  TreeUnion made;
  made.place.resize(trees.size());
  std::vector<NodeId>& parents = made.tree.parent;
  std::vector<FrameId>& frames = made.tree.frame;
  ChildIndex children;
  const auto child = [&](NodeId parent, FrameId frame) {
    const auto added = static_cast<NodeId>(parents.size());
    const NodeId node = children.find_or_add(parent, frame, added);
    if (node == added) {
      parents.push_back(parent);
      frames.push_back(frame);
    }
    return node;
  };
  // Node by node of several trees in turn: where the child of a node is, in a large tree, has to
  // come from memory, and is asked for in all of them before any waits for it.
  for (std::size_t begin = 0; begin < trees.size(); begin += together) {
    struct Walk {
      const CallTree* tree;
      NodeId* place;
      NodeId parent = no_node;
      FrameId frame = 0;
      NodeId seen = no_node;
    };
    std::vector<Walk> walks;
    std::size_t longest = 0;
    for (std::size_t t = begin; t < std::min(trees.size(), begin + together); ++t) {
      const std::size_t size = trees[t]->size();
      if (size == 0) continue;
      longest = std::max(longest, size);
      made.place[t].resize(size);
      made.place[t][0] = parents.empty() ? child(no_node, same_as[trees[t]->frame[0]]) : 0;
      walks.push_back({trees[t], made.place[t].data()});
    }
    for (std::size_t i = 1; i < longest; ++i) {
      std::erase_if(walks, [&](const Walk& one) { return one.tree->size() <= i; });
      for (Walk& one : walks) {
        one.parent = one.place[one.tree->parent[i]];
        one.frame = same_as[one.tree->frame[i]];
        one.seen = children.glance(one.parent, one.frame);
      }
      for (Walk& one : walks)
        one.place[i] = one.seen != no_node ? one.seen : child(one.parent, one.frame);
    }
  }
  made.tree.total.assign(parents.size(), 0);
  made.tree.self.assign(parents.size(), 0);
  return made;
}

void add_numbers(const ResolvedTree& tree, const std::vector<NodeId>& place, ResolvedTree& into) {
  if (!tree.unsettled.empty()) into.unsettle();
  // Column by column: nothing waits for anything then, and in a large tree every sum is far from
  // the next.
  for (const auto column : {&ResolvedTree::total, &ResolvedTree::self}) {
    double* const sums = (into.*column).data();
    const double* const values = (tree.*column).data();
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += values[i];
  }
  for (std::size_t i = 0; !into.unsettled.empty() && i < place.size(); ++i)
    into.unsettled[place[i]] += tree.unsettled_at(i);
}

}  // namespace crema::profile
