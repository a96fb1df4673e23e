// Compiled for speed: it runs for every sample.
#include "core/profile/tree/time_order.hpp"

#include <algorithm>
#include <numeric>

namespace crema::profile {

namespace {

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
    layout_.node.push_back(node);
    layout_.depth.push_back(depth);
    layout_.begin.push_back(begin);
    layout_.end.push_back(end);
    layout_.is_unresolved.push_back(false);
    layout_.run.push_back(run);
    layout_.run_first.push_back(0);
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

}  // namespace crema::profile
