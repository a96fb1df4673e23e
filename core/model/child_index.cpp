#include "core/model/child_index.hpp"

namespace crema {

namespace {

constexpr std::size_t first_slots = 1024;  // a power of two

std::uint64_t key_of(NodeId parent, std::uint32_t frame) { return (std::uint64_t{parent} << 32U) | frame; }

}  // namespace

ChildIndex::ChildIndex() : slots_(first_slots) {}

std::size_t ChildIndex::slot_of(std::uint64_t key) const {
  const std::uint64_t mixed = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
  std::size_t slot = static_cast<std::size_t>(mixed >> 32U) & (slots_.size() - 1);
  while (slots_[slot].key != key && slots_[slot].key != free_slot) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

NodeId ChildIndex::find_or_add(NodeId parent, std::uint32_t frame, NodeId added) {
  const std::uint64_t key = key_of(parent, frame);
  Slot& slot = slots_[slot_of(key)];
  if (slot.key == key) return slot.node;
  slot = {key, added};
  if (++size_ * 2 > slots_.size()) grow();
  return added;
}

NodeId ChildIndex::find(NodeId parent, std::uint32_t frame) const {
  const std::uint64_t key = key_of(parent, frame);
  const Slot& slot = slots_[slot_of(key)];
  return slot.key == key ? slot.node : no_node;
}

void ChildIndex::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.key != free_slot) slots_[slot_of(slot.key)] = slot;
  }
}

}  // namespace crema
