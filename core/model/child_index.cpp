#include "core/model/child_index.hpp"

namespace crema {

namespace {

constexpr unsigned first_bits = 8;

std::uint32_t hash_of(NodeId parent, std::uint32_t frame) {
  const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
  return static_cast<std::uint32_t>(((key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL) >> 32U);
}

}  // namespace

ChildIndex::ChildIndex() : bits_(first_bits), slots_(std::size_t{1} << first_bits, free) {}

std::size_t ChildIndex::slot_of(NodeId parent, std::uint32_t frame) const {
  const std::uint32_t hash = hash_of(parent, frame);
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash >> (32U - bits_);
  for (; slots_[slot] != free; slot = (slot + 1) & last) {
    const std::uint32_t place = slots_[slot] ^ (hash << bits_);
    if (place <= last && others_[place].parent == parent && others_[place].frame == frame) break;
  }
  return slot;
}

NodeId ChildIndex::find_or_add(NodeId parent, std::uint32_t frame, NodeId added) {
  const std::uint32_t at = parent + 1;  // the root's is no_node
  if (at >= first_.size()) first_.resize(std::size_t{at} + 1);
  First& first = first_[at];
  if (first.node == no_node) first = {added, frame};
  if (first.frame == frame) return first.node;

  const std::size_t slot = slot_of(parent, frame);
  if (slots_[slot] != free) return others_[place_in(slot)].node;
  slots_[slot] = (hash_of(parent, frame) << bits_) | static_cast<std::uint32_t>(others_.size());
  others_.push_back({parent, frame, added});
  if (others_.size() * 2 > slots_.size()) grow();
  return added;
}

NodeId ChildIndex::find(NodeId parent, std::uint32_t frame) const {
  const std::uint32_t at = parent + 1;
  if (at >= first_.size() || first_[at].node == no_node) return no_node;
  if (first_[at].frame == frame) return first_[at].node;
  const std::size_t slot = slot_of(parent, frame);
  return slots_[slot] == free ? no_node : others_[place_in(slot)].node;
}

void ChildIndex::grow() {
  ++bits_;
  slots_ = {};  // its memory first
  slots_.assign(std::size_t{1} << bits_, free);
  const std::size_t last = slots_.size() - 1;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const std::uint32_t hash = hash_of(others_[i].parent, others_[i].frame);
    std::size_t slot = hash >> (32U - bits_);
    while (slots_[slot] != free) slot = (slot + 1) & last;  // no child is there twice
    slots_[slot] = (hash << bits_) | static_cast<std::uint32_t>(i);
  }
}

}  // namespace crema
