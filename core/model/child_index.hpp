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
  void grow();

  std::vector<std::uint64_t> keys_;  // parent and frame
  std::vector<NodeId> nodes_;
  std::size_t size_ = 0;
};

}  // namespace crema
