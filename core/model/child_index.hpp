#pragma once

#include <cstdint>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema {

/// Finds the child of a node by its frame, while a tree grows: open addressing, no allocation per node.
class ChildIndex {
 public:
  ChildIndex();

  /// The node known as child `frame` of `parent`; where there is none yet, `added` becomes it.
  NodeId find_or_add(NodeId parent, std::uint32_t frame, NodeId added);

  /// The node known as child `frame` of `parent`, or no_node.
  NodeId find(NodeId parent, std::uint32_t frame) const;

 private:
  static constexpr std::uint64_t free_slot = ~std::uint64_t{0};  // no node has no_node as parent *and* no frame

  // Side by side: in a large tree every look-up goes to memory, and once is enough.
  struct Slot {
    std::uint64_t key = free_slot;  // parent and frame
    NodeId node = no_node;
  };

  /// Where `key` is, or would be put.
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace crema
