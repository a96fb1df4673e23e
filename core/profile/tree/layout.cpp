// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/layout.hpp"

#include <algorithm>

namespace crema::profile {

namespace {

struct Box {
  NodeId node;
  std::uint32_t depth;
  double begin, end;
  bool is_unresolved = false;
  std::uint32_t run = 0;
  std::uint32_t run_first = 0;
};

void append(Layout& layout, const Box& box) {
  layout.node.push_back(box.node);
  layout.depth.push_back(box.depth);
  layout.begin.push_back(box.begin);
  layout.end.push_back(box.end);
  layout.is_unresolved.push_back(box.is_unresolved);
  layout.run.push_back(box.run);
  layout.run_first.push_back(box.run_first);
}

}  // namespace

Children ordered_children(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order) {
  Children children = children_of(tree.parent);
  sort_siblings(children, tree, facts, order);
  return children;
}

Layout lay_out(const ResolvedTree& tree, const Children& children, const Window& window) {
  Layout layout;
  const auto is_wide = [&](double width) { return width > 0 && width >= window.min_width; };
  if (tree.size() == 0 || !is_wide(tree.whole())) return layout;
  std::vector<Box> open{{0, 0, 0, tree.whole()}};
  while (!open.empty()) {
    const Box box = open.back();
    open.pop_back();
    append(layout, box);
    if (box.is_unresolved || box.run > 0) continue;

    const std::size_t first_of_box = open.size();
    const std::uint32_t depth = box.depth + 1;
    const auto first = children.child.begin() + children.first[box.node];
    const auto last = children.child.begin() + children.first[box.node + 1];
    Box run{box.node, depth, 0, 0};
    const auto close_run = [&] {
      if (run.run > 0 && window.runs && run.end > run.begin) open.push_back(run);
      run.run = 0;
    };
    double x = box.begin;
    for (auto child = first; child != last && x <= window.end; ++child) {
      const double begin = x;
      x += tree.total[*child];
      if (x < window.begin) continue;
      if (is_wide(tree.total[*child])) {
        close_run();
        open.push_back({*child, depth, begin, x});
        continue;
      }
      if (run.run++ == 0) {
        run.begin = begin;
        run.run_first = static_cast<std::uint32_t>(child - children.child.begin());
      }
      run.end = x;
    }
    close_run();
    const double unresolved = tree.unresolved(box.node);
    if (is_wide(unresolved) && x <= window.end && x + unresolved >= window.begin)
      open.push_back({box.node, depth, x, x + unresolved, true});
    // The last pushed is visited first: turn them round so that boxes come from left to right.
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first_of_box), open.end());
  }
  return layout;
}

Layout lay_out(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order,
               double min_width) {
  return lay_out(tree, ordered_children(tree, facts, order), {.min_width = min_width});
}

}  // namespace crema::profile
