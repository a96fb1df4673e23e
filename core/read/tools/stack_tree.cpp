// Compiled for speed: it runs for every frame of a sample.
#include "core/read/tools/stack_profile.hpp"

#include <algorithm>
#include <utility>

namespace crema::read {

namespace {

// Where each node goes when they are put in preorder, siblings in order of NodeId. Parents come
// before their children.
std::vector<NodeId> preorder_places(const std::vector<NodeId>& parent) {
  std::vector<NodeId> below(parent.size(), 1);  // nodes of each subtree
  for (std::size_t i = parent.size(); i-- > 1;) below[parent[i]] += below[i];
  std::vector<NodeId> place(parent.size(), 0);
  std::vector<NodeId> taken(parent.size(), 1);
  for (std::size_t i = 1; i < parent.size(); ++i) {
    place[i] = place[parent[i]] + taken[parent[i]];
    taken[parent[i]] += below[i];
  }
  return place;
}

// Whether no two of `frames` are one function.
bool are_different(const std::vector<std::uint32_t>& frames, std::span<const FrameId> names) {
  if (any_of(frames, [&](std::uint32_t frame) { return frame >= names.size(); })) return false;
  std::vector<FrameId> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace

NodeId StackTree::append(NodeId parent, std::uint32_t frame) {
  parent_.push_back(parent);
  frame_.push_back(frame);
  return static_cast<NodeId>(size() - 1);
}

NodeId StackTree::child(NodeId node, std::uint32_t frame) {
  const auto added = static_cast<NodeId>(size());
  const NodeId found = children_.find_or_add(node, frame, added);
  return found == added ? append(node, frame) : found;
}

NodeId StackTree::stack(std::span<const std::uint32_t> frames) {
  NodeId node = root;
  for (std::size_t i = frames.size(); i-- > 0;) node = child(node, frames[i]);
  return node;
}

CallTree StackTree::take(std::span<const FrameId> names, FrameId unknown, FrameId root_frame,
                         double scale, std::vector<NodeId>& place) {
  self_.resize(size());
  std::vector<bool> has_weight(size());
  for (std::size_t i = size(); i-- > 0;) {
    if (self_[i] > 0) has_weight[i] = true;
    if (i > 0 && has_weight[i]) has_weight[parent_[i]] = true;
  }
  children_ = ChildIndex();
  place.assign(size(), no_node);
  place[root] = root;
  if (are_different({frame_.begin() + 1, frame_.end()}, names)) {
    // Different frames stay different nodes: nothing has to be found again.
    NodeId kept = 1;
    for (std::size_t i = 1; i < size(); ++i) {
      if (!has_weight[i]) continue;
      place[i] = kept;
      parent_[kept] = place[parent_[i]];
      frame_[kept] = names[frame_[i]];
      self_[kept++] = self_[i];
    }
    parent_.resize(kept);
    frame_.resize(kept);
    self_.resize(kept);
  } else {
    StackTree named;
    named.charge(root, self_[root]);
    for (std::size_t i = 1; i < size(); ++i) {
      if (!has_weight[i]) continue;
      place[i] =
          named.child(place[parent_[i]], frame_[i] < names.size() ? names[frame_[i]] : unknown);
      named.charge(place[i], self_[i]);
    }
    *this = std::move(named);
  }

  const std::vector<NodeId> at = preorder_places(parent_);
  CallTree tree;
  tree.siblings_differ = true;
  tree.parent.resize(size());
  tree.frame.resize(size());
  tree.count.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    tree.parent[at[i]] = i == root ? no_node : at[parent_[i]];
    tree.frame[at[i]] = i == root ? root_frame : frame_[i];
    tree.count[at[i]] = self_[i] * scale;
  }
  *this = StackTree();
  // Backwards, so that a node without samples of its own counts exactly what `resolve` finds in its
  // children.
  std::vector<double> below(tree.size(), 0);
  for (std::size_t i = tree.size(); i-- > 0;) {
    tree.count[i] += below[i];
    if (i > 0) below[tree.parent[i]] += tree.count[i];
  }
  for (NodeId& node : place) {
    if (node != no_node) node = at[node];
  }
  return tree;
}

}  // namespace crema::read
