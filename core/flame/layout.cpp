#include "core/flame/layout.hpp"

namespace crema {

Layout lay_out(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order, double min_width) {
  Layout layout;
  const auto is_visible = [&](double width) { return width > 0 && width >= min_width; };
  if (tree.size() == 0 || !is_visible(tree.whole())) return layout;
  Children children = children_of(tree.parent);
  sort_siblings(children, tree, facts, order);

  struct Box {
    NodeId node;
    std::uint32_t depth;
    double begin, end;
    bool is_unresolved;
  };
  std::vector<Box> open{{0, 0, 0, tree.whole(), false}};
  while (!open.empty()) {
    const Box box = open.back();
    open.pop_back();
    layout.node.push_back(box.node);
    layout.depth.push_back(box.depth);
    layout.begin.push_back(box.begin);
    layout.end.push_back(box.end);
    layout.is_unresolved.push_back(box.is_unresolved);
    if (box.is_unresolved) continue;
    const std::size_t first_child = open.size();
    double x = box.begin;
    for (std::uint32_t i = children.first[box.node]; i < children.first[box.node + 1]; ++i) {
      const NodeId child = children.child[i];
      const double end = x + tree.total[child];
      if (is_visible(tree.total[child])) open.push_back({child, box.depth + 1, x, end, false});
      x = end;
    }
    if (is_visible(tree.unresolved[box.node])) open.push_back({box.node, box.depth + 1, x, x + tree.unresolved[box.node], true});
    // The last pushed is visited first: turn them round so that boxes come from left to right.
    for (std::size_t i = first_child, k = open.size(); i + 1 < k; ++i, --k) std::swap(open[i], open[k - 1]);
  }
  return layout;
}

}  // namespace crema
