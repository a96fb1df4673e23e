#include "core/flame/merge.hpp"

namespace crema {

namespace {

constexpr std::uint64_t free_slot = ~std::uint64_t{0};  // no node has no_node as parent *and* no frame

std::size_t slot_of(std::uint64_t key, std::size_t slots) {
  const std::uint64_t mixed = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(mixed >> 32U) & (slots - 1);
}

}  // namespace

TreeMerger::TreeMerger(std::span<const FrameId> same_as) : same_as_(same_as), keys_(1024, free_slot), nodes_(1024) {}

void TreeMerger::grow() {
  std::vector<std::uint64_t> keys(keys_.size() * 2, free_slot);
  std::vector<NodeId> nodes(keys.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == free_slot) continue;
    std::size_t slot = slot_of(keys_[i], keys.size());
    while (keys[slot] != free_slot) slot = (slot + 1) & (keys.size() - 1);
    keys[slot] = keys_[i];
    nodes[slot] = nodes_[i];
  }
  keys_ = std::move(keys);
  nodes_ = std::move(nodes);
}

NodeId TreeMerger::child(NodeId parent, FrameId frame) {
  const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
  std::size_t slot = slot_of(key, keys_.size());
  while (keys_[slot] != free_slot) {
    if (keys_[slot] == key) return nodes_[slot];
    slot = (slot + 1) & (keys_.size() - 1);
  }
  const auto node = static_cast<NodeId>(merged_.size());
  keys_[slot] = key;
  nodes_[slot] = node;
  merged_.parent.push_back(parent);
  merged_.frame.push_back(frame);
  for (auto* column : {&merged_.total, &merged_.self, &merged_.self_min, &merged_.self_max, &merged_.unresolved})
    column->push_back(0);
  if (merged_.size() * 2 > keys_.size()) grow();
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
