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

  /// Where the child is, or would be put.
  std::size_t slot_of(NodeId parent, std::uint32_t frame) const;
  void grow();

  // Most nodes have one child, and it is looked for while its parent is at hand. The others are
  // hashed: in a large tree each look-up then goes to memory, once.
  std::vector<First> first_;   // by parent + 1
  std::vector<Other> others_;  // slots, a power of two; at least half of them free
  std::size_t count_ = 0;      // of those in use
};

}  // namespace crema
