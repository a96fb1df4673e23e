#include "core/model/child_index.hpp"

namespace crema {

namespace {

constexpr std::size_t first_slots = 1024;  // a power of two

std::uint64_t key_of(NodeId parent, std::uint32_t frame) { return (std::uint64_t{parent} << 32U) | frame; }

}  // namespace

ChildIndex::ChildIndex() : slots_(first_slots, no_node) {}

std::size_t ChildIndex::slot_of(std::uint64_t key) const {
  const std::uint64_t mixed = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
  std::size_t slot = static_cast<std::size_t>(mixed >> 32U) & (slots_.size() - 1);
  while (slots_[slot] != no_node && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

NodeId ChildIndex::find_or_add(NodeId parent, std::uint32_t frame, NodeId added) {
  const std::uint64_t key = key_of(parent, frame);
  const std::size_t slot = slot_of(key);
  if (slots_[slot] != no_node) return first_ + slots_[slot];
  if (keys_.empty()) first_ = added;
  slots_[slot] = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  if (keys_.size() * 2 > slots_.size()) grow();
  return added;
}

NodeId ChildIndex::find(NodeId parent, std::uint32_t frame) const {
  const std::uint32_t place = slots_[slot_of(key_of(parent, frame))];
  return place == no_node ? no_node : first_ + place;
}

void ChildIndex::grow() {
  const std::size_t larger = slots_.size() * 2;
  slots_ = {};  // its memory first
  slots_.assign(larger, no_node);
  for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
}

}  // namespace crema
