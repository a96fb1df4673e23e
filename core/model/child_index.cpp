#include "core/model/child_index.hpp"

namespace crema {

namespace {

constexpr std::uint64_t free_slot = ~std::uint64_t{0};  // no node has no_node as parent *and* no frame
constexpr std::size_t first_slots = 1024;               // a power of two

std::size_t slot_of(std::uint64_t key, std::size_t slots) {
  const std::uint64_t mixed = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(mixed >> 32U) & (slots - 1);
}

}  // namespace

ChildIndex::ChildIndex() : keys_(first_slots, free_slot), nodes_(first_slots) {}

NodeId ChildIndex::find_or_add(NodeId parent, std::uint32_t frame, NodeId added) {
  const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
  std::size_t slot = slot_of(key, keys_.size());
  while (keys_[slot] != free_slot) {
    if (keys_[slot] == key) return nodes_[slot];
    slot = (slot + 1) & (keys_.size() - 1);
  }
  keys_[slot] = key;
  nodes_[slot] = added;
  if (++size_ * 2 > keys_.size()) grow();
  return added;
}

NodeId ChildIndex::find(NodeId parent, std::uint32_t frame) const {
  const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
  std::size_t slot = slot_of(key, keys_.size());
  while (keys_[slot] != free_slot) {
    if (keys_[slot] == key) return nodes_[slot];
    slot = (slot + 1) & (keys_.size() - 1);
  }
  return no_node;
}

void ChildIndex::grow() {
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

}  // namespace crema
