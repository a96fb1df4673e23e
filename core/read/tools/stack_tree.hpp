#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema::read {

/// Builds a CallTree of stacks. Frames are numbers of the source's own table, which may become
/// known only at the end.
class StackTree {
 public:
  static constexpr NodeId root = 0;
  StackTree() : parent_{no_node}, frame_{0} {}

  /// The callee `frame` of `node`, added when new.
  NodeId child(NodeId node, std::uint32_t frame);
  /// The node of a stack whose innermost frame comes first.
  NodeId stack(std::span<const std::uint32_t> frames);
  /// Counts `weight` (not negative) for samples taken in `node`.
  void charge(NodeId node, double weight) {
    if (self_.size() < size()) self_.resize(size());
    self_[node] += weight;
  }

  std::size_t size() const { return parent_.size(); }
  const std::vector<std::uint32_t>& frames() const { return frame_; }

  /// The tree as recorded: in preorder, in the unit of the weights x `scale`, without nodes that no
  /// weight is at or below. `names[frame]` is the function of a source's frame, `unknown` the one
  /// of frames beyond them. Sibling frames that are one function become one node. `place` gets the
  /// node of the CallTree that each node went to, or no_node.
  CallTree take(std::span<const FrameId> names, FrameId unknown, FrameId root_frame, double scale,
                std::vector<NodeId>& place);

 private:
  NodeId append(NodeId parent, std::uint32_t frame);

  std::vector<NodeId> parent_;
  std::vector<std::uint32_t> frame_;
  std::vector<double> self_;  // of the nodes up to the last that there were when one was charged:
                              // often all at the end
  ChildIndex children_;
};

}  // namespace crema::read
