#pragma once

#include <cstdint>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema {

/// Finds the child of a node by its frame, while a tree grows: open addressing, no allocation per
/// node.
class ChildIndex {
 public:
  ChildIndex();

  /// The node known as child `frame` of `parent`; where there is none yet, `added` becomes it.
  /// `parent` may be no_node.
  NodeId find_or_add(NodeId parent, std::uint32_t frame, NodeId added);

  /// The node known as child `frame` of `parent`, or no_node.
  NodeId find(NodeId parent, std::uint32_t frame) const;

  /// As `find`, but looks only at the two places where the child most likely is: no_node may be
  /// wrong. It does not branch on what it reads, so that many glances wait for memory together.
  NodeId glance(NodeId parent, std::uint32_t frame) const {
    const std::uint32_t at = parent + 1;
    const First first = at < first_.size() ? first_[at] : First{};
    const Other other = others_[home_of(parent, frame)];
    // a node that is not there is all ones, and so is one that is another
    const auto unless = [](std::uint32_t differs) { return differs == 0 ? 0U : no_node; };
    return (first.node | unless(first.frame ^ frame)) &
           (other.node | unless((other.frame ^ frame) | (other.parent ^ parent)));
  }

 private:
  struct First {
    NodeId node = no_node;
    std::uint32_t frame = 0;
  };
  struct Other {
    NodeId parent = no_node;
    std::uint32_t frame = 0;
    NodeId node = no_node;  // no_node = a free slot
  };

  /// Where the child is looked for first.
  std::size_t home_of(NodeId parent, std::uint32_t frame) const {
    const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
    const std::uint64_t hash = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash >> shift_);
  }
  /// Where the child is, or would be put.
  std::size_t slot_of(NodeId parent, std::uint32_t frame) const;
  void grow();

  // Most nodes have one child, and it is looked for while its parent is at hand. The others are
  // hashed: in a large tree each look-up then goes to memory, once.
  std::vector<First> first_;   // by parent + 1
  std::vector<Other> others_;  // slots, a power of two; at least half of them free
  unsigned shift_;             // 64 - log2 of it
  std::size_t count_ = 0;      // of those in use
};

}  // namespace crema
