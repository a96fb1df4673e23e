#pragma once

#include <cstdint>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema {

/// Finds the child of a node by its frame, while a tree grows: open addressing, no allocation per node.
class ChildIndex {
 public:
  ChildIndex();

  /// The node known as child `frame` of `parent`; where there is none yet, `added` becomes it: the number after that of the
  /// node added last.
  NodeId find_or_add(NodeId parent, std::uint32_t frame, NodeId added);

  /// The node known as child `frame` of `parent`, or no_node.
  NodeId find(NodeId parent, std::uint32_t frame) const;

 private:
  /// Where `key` is, or would be put.
  std::size_t slot_of(std::uint64_t key) const;
  void grow();

  // In a large tree every look-up goes to memory. Most nodes are new when they are looked up: what they meet, a free slot, is
  // kept small.
  std::vector<std::uint32_t> slots_;  // places in keys_, or no_node
  std::vector<std::uint64_t> keys_;   // parent and frame of each node, from the first one added on
  NodeId first_ = 0;
};

}  // namespace crema
