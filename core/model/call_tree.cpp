// Compiled for speed: it runs for every node of a call tree.
#include "core/model/call_tree.hpp"

namespace crema {

std::size_t FrameTable::Hash::operator()(const Key& k) const {
  std::uint64_t h = (std::uint64_t{k.name} << 32U) | k.file;
  h = (h ^ (std::uint64_t{k.line} * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL;
  return static_cast<std::size_t>(h ^ (h >> 33U));
}

FrameId FrameTable::intern(StringId frame_name, StringId frame_file, std::uint32_t line) {
  const auto id = static_cast<FrameId>(name.size());
  const auto [entry, is_new] = ids_.try_emplace(Key{frame_name, frame_file, line}, id);
  if (is_new) {
    name.push_back(frame_name);
    file.push_back(frame_file);
    first_line.push_back(line);
    line_seen.push_back(0);
    source_line.push_back(no_string);
  }
  return entry->second;
}

namespace {

constexpr unsigned first_bits = 8;

}  // namespace

ChildIndex::ChildIndex() : others_(std::size_t{1} << first_bits), shift_(64 - first_bits) {}

std::size_t ChildIndex::slot_of(NodeId parent, std::uint32_t frame) const {
  const std::size_t last = others_.size() - 1;
  std::size_t slot = home_of(parent, frame);
  while (others_[slot].node != no_node &&
         (others_[slot].parent != parent || others_[slot].frame != frame))
    slot = (slot + 1) & last;
  return slot;
}

NodeId ChildIndex::find_or_add(NodeId parent, std::uint32_t frame, NodeId added) {
  const std::uint32_t at = parent + 1;  // the root's parent is no_node
  if (at >= first_.size()) first_.resize(std::size_t{at} + 1);
  First& first = first_[at];
  if (first.node == no_node) first = {added, frame};
  if (first.frame == frame) return first.node;

  Other& other = others_[slot_of(parent, frame)];
  if (other.node != no_node) return other.node;
  other = {parent, frame, added};
  if (++count_ * 2 > others_.size()) grow();
  return added;
}

NodeId ChildIndex::find(NodeId parent, std::uint32_t frame) const {
  const std::uint32_t at = parent + 1;
  if (at >= first_.size() || first_[at].node == no_node) return no_node;
  if (first_[at].frame == frame) return first_[at].node;
  return others_[slot_of(parent, frame)].node;
}

void ChildIndex::grow() {
  std::vector<Other> before(others_.size() * 2);
  before.swap(others_);
  --shift_;
  for (const Other& other : before) {
    if (other.node != no_node) others_[slot_of(other.parent, other.frame)] = other;
  }
}

}  // namespace crema
