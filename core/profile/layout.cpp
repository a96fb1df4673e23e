// Compiled for speed: it runs for every node of a call tree.
#include <algorithm>
#include <numeric>

#include "core/profile/tree.hpp"

namespace crema::profile {

Children children_of(const std::vector<NodeId>& parent) {
  const std::size_t n = parent.size();
  Children children;
  children.first.assign(n + 1, 0);
  children.child.resize(n == 0 ? 0 : n - 1);
  for (std::size_t i = 1; i < n; ++i) ++children.first[parent[i] + 1];
  for (std::size_t i = 0; i < n; ++i) children.first[i + 1] += children.first[i];
  std::vector<std::uint32_t> next(children.first.begin(), children.first.end());
  for (std::size_t i = 1; i < n; ++i) children.child[next[parent[i]]++] = static_cast<NodeId>(i);
  return children;
}

Children ordered_children(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order) {
  Children children = children_of(tree.parent);
  const auto before = [&](NodeId a, NodeId b) {
    if (order == SiblingOrder::heavy && tree.total[a] != tree.total[b])
      return tree.total[a] > tree.total[b];
    const std::uint32_t left = facts.rank[tree.frame[a]];
    const std::uint32_t right = facts.rank[tree.frame[b]];
    return left != right ? left < right : a < b;
  };
  for (std::size_t node = 0; node + 1 < children.first.size(); ++node) {
    const std::uint32_t first = children.first[node];
    const std::uint32_t last = children.first[node + 1];
    if (last - first > 1)  // most nodes have one child
      std::sort(children.child.begin() + first, children.child.begin() + last, before);
  }
  return children;
}

Preorder preorder(const Children& children) {
  Preorder walk;
  const std::size_t n = children.first.size() - 1;
  if (n == 0) return walk;
  walk.node.reserve(n);
  walk.depth.reserve(n);
  struct Step {
    NodeId node;
    std::uint32_t depth;
  };
  std::vector<Step> open{{0, 0}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    walk.node.push_back(step.node);
    walk.depth.push_back(step.depth);
    for (std::uint32_t i = children.first[step.node + 1]; i-- > children.first[step.node];) {
      open.push_back({children.child[i], step.depth + 1});
    }
  }
  return walk;
}

bool is_preorder(const std::vector<NodeId>& parent) {
  std::vector<NodeId> stack{0};
  for (std::size_t i = 1; i < parent.size(); ++i) {
    while (stack.back() != parent[i]) {
      if (stack.size() == 1) return false;
      stack.pop_back();
    }
    stack.push_back(static_cast<NodeId>(i));
  }
  return true;
}

std::uint32_t depth_of(const std::vector<NodeId>& parent) {
  std::vector<std::uint32_t> depth(parent.size(), 0);
  std::uint32_t deepest = 0;
  for (std::size_t i = 1; i < parent.size(); ++i) {
    depth[i] = depth[parent[i]] + 1;
    deepest = std::max(deepest, depth[i]);
  }
  return deepest;
}

namespace {

struct Box {
  NodeId node;
  std::uint32_t depth;
  double begin, end;
  bool is_unresolved = false;
  std::uint32_t run = 0;
  std::uint32_t run_first = 0;
};

void append(Layout& layout, const Box& box, const Window& window) {
  layout.node.push_back(box.node);
  layout.depth.push_back(box.depth);
  layout.begin.push_back(box.begin);
  layout.end.push_back(box.end);
  layout.is_unresolved.push_back(box.is_unresolved);
  if (!window.runs) return;
  layout.run.push_back(box.run);
  layout.run_first.push_back(box.run_first);
}

struct Span {
  NodeId node;
  double begin;
};

/// What is too narrow at one depth, since the last box there.
struct Narrow {
  NodeId parent = 0;
  double begin = 0, end = 0;
  std::uint32_t boxes = 0;
};

class Sweep {
 public:
  Sweep(const ResolvedTree& tree, const Window& window)
      : tree_(tree), window_(window), depth_(tree.size(), 0) {
    for (std::size_t i = 1; i < tree.size(); ++i) depth_[i] = depth_[tree.parent[i]] + 1;
    narrow_.resize(1 + (depth_.empty() ? 0 : *std::max_element(depth_.begin(), depth_.end())));
    open_.push_back({0, 0});
  }

  /// From here on `node` is the innermost.
  void enter(NodeId node, double at) {
    path_.clear();
    while (depth_[node] >= open_.size() || open_[depth_[node]].node != node) {
      path_.push_back(node);
      node = tree_.parent[node];
    }
    leave_below(depth_[node], at);
    for (std::size_t i = path_.size(); i-- > 0;) open_.push_back({path_[i], at});
  }

  Layout finish(double at) {
    leave_below(0, at);
    put(0, 0, 0, at, 0);
    for (std::uint32_t depth = 1; depth < narrow_.size(); ++depth) flush(depth);
    return std::move(layout_);
  }

 private:
  void leave_below(std::uint32_t depth, double at) {
    while (open_.size() > depth + 1) {
      const Span box = open_.back();
      open_.pop_back();
      close(static_cast<std::uint32_t>(open_.size()), box, at);
    }
  }

  void close(std::uint32_t depth, const Span& box, double end) {
    if (end < window_.begin || box.begin > window_.end || !(end > box.begin)) return;
    if (end - box.begin >= window_.min_width) {
      flush(depth);
      put(box.node, depth, box.begin, end, 0);
      return;
    }
    if (!window_.runs) return;
    Narrow& narrow = narrow_[depth];
    if (narrow.boxes > 0 && box.begin - narrow.end > window_.min_width) flush(depth);
    if (narrow.boxes++ == 0) {
      narrow.begin = box.begin;
      narrow.parent = tree_.parent[box.node];
    }
    narrow.end = end;
  }

  void flush(std::uint32_t depth) {
    Narrow& narrow = narrow_[depth];
    if (narrow.boxes > 0) put(narrow.parent, depth, narrow.begin, narrow.end, narrow.boxes);
    narrow.boxes = 0;
  }

  void put(NodeId node, std::uint32_t depth, double begin, double end, std::uint32_t run) {
    append(layout_, {node, depth, begin, end, false, run}, window_);
  }

  const ResolvedTree& tree_;
  const Window& window_;
  std::vector<std::uint32_t> depth_;
  std::vector<Span> open_;  // the stack, from the root on
  std::vector<NodeId> path_;
  std::vector<Narrow> narrow_;  // by depth
  Layout layout_;
};

}  // namespace

Layout lay_out(const ResolvedTree& tree, const Children& children, const Window& window) {
  Layout layout;
  const auto is_wide = [&](double width) { return width > 0 && width >= window.min_width; };
  if (tree.size() == 0 || !is_wide(tree.whole())) return layout;
  if (window.min_width == 0 && window.begin <= 0 && window.end >= tree.whole()) {
    // All of it: what vectors grow by would be as much again.
    layout.node.reserve(tree.size());
    layout.depth.reserve(tree.size());
    layout.begin.reserve(tree.size());
    layout.end.reserve(tree.size());
  }
  std::vector<Box> open{{0, 0, 0, tree.whole()}};
  while (!open.empty()) {
    const Box box = open.back();
    open.pop_back();
    append(layout, box, window);
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

Layout lay_out_in_time(const FlameTree& tree, const Window& window) {
  if (tree.tree.size() == 0 || tree.sample_node.empty()) return {};
  Sweep sweep(tree.tree, window);
  double at = 0;
  for (std::size_t i = 0; i < tree.sample_node.size(); ++i) {
    const NodeId node = tree.sample_node[i];
    sweep.enter(node == no_node ? 0 : node, at);
    at += tree.sample_weight[i];
  }
  return sweep.finish(at);
}

double time_extent(const FlameTree& tree) {
  return std::accumulate(tree.sample_weight.begin(), tree.sample_weight.end(), 0.0);
}

Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames) {
  const std::size_t n = tree.size();
  Matches found{std::vector<std::uint8_t>(frames.begin(), frames.end()),
                std::vector<std::uint8_t>(n, 0)};
  std::vector<std::uint8_t> covered(n, 0);  // itself, or a node above it
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId above = tree.parent[i];
    covered[i] = covered[above];
    if (found.frame[tree.frame[i]] == 0) continue;
    if (tree.total[i] > 0) ++found.hits;
    if (covered[i] == 0) found.total += tree.total[i];
    covered[i] = 1;
    found.within[i] = 1;
    // From where it is known, it is known up to the root.
    for (NodeId node = above; found.within[node] == 0; node = tree.parent[node]) {
      found.within[node] = 1;
      if (node == 0) break;
    }
  }
  return found;
}

std::vector<std::uint8_t> marks_of(const Layout& layout, const ResolvedTree& tree,
                                   const Children* children, const Matches& found) {
  std::vector<std::uint8_t> marks(layout.size(), 0);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId node = layout.node[i];
    if (layout.run_at(i) == 0) {
      marks[i] = !layout.is_unresolved[i] && node > 0 ? found.frame[tree.frame[node]] : 0;
    } else if (children != nullptr && found.within[node] != 0) {
      const auto first = children->child.begin() + layout.run_first[i];
      marks[i] = std::any_of(first, first + layout.run[i],
                             [&](NodeId child) { return found.within[child] != 0; })
                     ? 1
                     : 0;
    }
  }
  return marks;
}

}  // namespace crema::profile
