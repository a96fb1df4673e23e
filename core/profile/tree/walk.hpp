#pragma once

#include <cstdint>
#include <vector>

#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/resolved_tree.hpp"

namespace crema::profile {

/// The children of every node: those of `node` are `child[first[node]] ... child[first[node + 1] -
/// 1]`, in order of NodeId.
struct Children {
  std::vector<std::uint32_t> first;
  std::vector<NodeId> child;
};
Children children_of(const std::vector<NodeId>& parent);

/// How siblings are ordered: the heaviest first (ties by name, file, line), or by name, file, line.
enum class SiblingOrder : std::uint8_t { heavy, name };
void sort_siblings(Children& children, const ResolvedTree& tree, const FrameFacts& facts,
                   SiblingOrder order);

/// Nodes in preorder with their depths (root 0).
struct Preorder {
  std::vector<NodeId> node;
  std::vector<std::uint32_t> depth;
};
Preorder preorder(const Children& children);
/// Whether the nodes are in preorder as they are numbered, as in recorded trees.
bool is_preorder(const std::vector<NodeId>& parent);

/// Depth of the deepest node; 0 for a root alone.
std::uint32_t depth_of(const std::vector<NodeId>& parent);

}  // namespace crema::profile
