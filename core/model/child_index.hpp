#pragma once

#include <cstdint>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema {

/// Finds the child of a node by its frame, while a tree grows: open addressing, no allocation per node.
class ChildIndex {
 public:
  ChildIndex();

  /// The node known as child `frame` of `parent`; where there is none yet, `added` becomes it. `parent` may be no_node.
  NodeId find_or_add(NodeId parent, std::uint32_t frame, NodeId added);

  /// The node known as child `frame` of `parent`, or no_node.
  NodeId find(NodeId parent, std::uint32_t frame) const;

 private:
  static constexpr std::uint32_t free = 0xffffffffU;

  struct First {
    NodeId node = no_node;
    std::uint32_t frame = 0;
  };
  struct Other {
    NodeId parent;
    std::uint32_t frame;
    NodeId node;
  };

  /// Where the child is, or would be put.
  std::size_t slot_of(NodeId parent, std::uint32_t frame) const;
  std::uint32_t place_in(std::size_t slot) const { return slots_[slot] & static_cast<std::uint32_t>(slots_.size() - 1); }
  void grow();

  // Most nodes have one child, and it is looked for while its parent is at hand. The others are hashed: in a large tree each
  // look-up then goes to memory. A slot holds a place in others_ in its low bits, and above them what the hash has beyond the
  // slot's number: a stranger is known there without a look at it. Half of the slots are free, so that no place has all its
  // bits set.
  std::vector<First> first_;  // by parent + 1
  std::vector<Other> others_;
  unsigned bits_;
  std::vector<std::uint32_t> slots_;  // 2^bits_
};

}  // namespace crema
