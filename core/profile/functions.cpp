// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree.hpp"

#include <numeric>

namespace crema::profile {

namespace {

constexpr std::uint32_t no_row = 0xffffffffU;

// The innermost frame of the analysis code of every node's stack, as a node; no_node where there is
// none.
std::vector<NodeId> innermost_analysis(const ResolvedTree& tree, const FrameFacts& facts) {
  std::vector<NodeId> innermost(tree.size(), no_node);
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const bool own = facts.category[tree.frame[i]] == Category::analysis;
    innermost[i] = own ? static_cast<NodeId>(i) : innermost[tree.parent[i]];
  }
  return innermost;
}

// Whether the node's function is on its stack already.
std::vector<bool> repeats(const ResolvedTree& tree, const std::vector<std::uint32_t>& row,
                          std::size_t rows) {
  std::vector<bool> repeated(tree.size(), false);
  std::vector<NodeId> stack;  // without the root
  std::vector<std::uint32_t> times(rows, 0);
  const auto enter = [&](NodeId node) {
    while (!stack.empty() && stack.back() != tree.parent[node]) {
      --times[row[tree.frame[stack.back()]]];
      stack.pop_back();
    }
    repeated[node] = times[row[tree.frame[node]]]++ > 0;
    stack.push_back(node);
  };
  if (is_preorder(tree.parent)) {
    for (NodeId node = 1; node < tree.size(); ++node) enter(node);
  } else {
    const Preorder walk = preorder(children_of(tree.parent));
    for (std::size_t k = 1; k < walk.node.size(); ++k) enter(walk.node[k]);
  }
  return repeated;
}

}  // namespace

Functions functions_of(const ResolvedTree& tree, const FrameFacts& facts) {
  Functions functions;
  std::vector<std::uint32_t> row(facts.rank.size(), no_row);
  for (std::size_t i = 1; i < tree.size(); ++i) row[tree.frame[i]] = 0;
  for (std::size_t frame = 0; frame < row.size(); ++frame) {
    if (row[frame] == no_row) continue;
    row[frame] = static_cast<std::uint32_t>(functions.frame.size());
    functions.frame.push_back(static_cast<FrameId>(frame));
  }
  const std::size_t n = functions.frame.size();
  for (auto* column : {&functions.total, &functions.self, &functions.self_min, &functions.self_max,
                       &functions.unresolved, &functions.own, &functions.unclear,
                       &functions.estimated, &functions.boxes}) {
    column->assign(n, 0);
  }
  functions.is_recursive.assign(n, false);

  const std::vector<bool> repeated = repeats(tree, row, n);
  const std::vector<NodeId> innermost = innermost_analysis(tree, facts);
  std::vector<bool> is_shared(tree.size(), false);  // what is open below can be an own function's
  for (std::size_t i = 1; i < tree.size(); ++i) {
    if (innermost[i] == i && tree.self_max(i) > tree.self_min(i)) is_shared[tree.parent[i]] = true;
  }
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const std::uint32_t at = row[tree.frame[i]];
    if (repeated[i]) {
      functions.is_recursive[at] = true;
    } else {
      functions.total[at] += tree.total[i];
    }
    functions.self[at] += tree.self[i];
    const Unsettled open = tree.unsettled_at(i);
    functions.self_min[at] += open.self_min;
    functions.self_max[at] += open.self_max;
    functions.unresolved[at] += open.unresolved;
    functions.estimated[at] += open.estimated;
    if (tree.total[i] > 0) functions.boxes[at] += 1;
    if (innermost[i] == no_node) continue;
    const std::uint32_t owner = row[tree.frame[innermost[i]]];
    functions.own[owner] += tree.self[i] + open.unresolved;
    if (is_shared[i]) functions.unclear[owner] += open.unresolved;
  }
  return functions;
}

std::vector<FrameId> main_callers(const ResolvedTree& tree, const FrameFacts& facts) {
  std::vector<FrameId> callers(facts.size());
  std::iota(callers.begin(), callers.end(), FrameId{0});
  const std::vector<NodeId> innermost = innermost_analysis(tree, facts);
  std::vector<double> most(facts.size(), 0);  // by callee: samples of the caller that has most
  ChildIndex index;                           // of a function and its caller
  std::vector<double> calls;                  // samples, by it
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const NodeId above = innermost[tree.parent[i]];
    if (innermost[i] != i || above == no_node || tree.frame[above] == tree.frame[i]) continue;
    const FrameId callee = tree.frame[i];
    const FrameId caller = tree.frame[above];
    const NodeId call = index.find_or_add(callee, caller, static_cast<NodeId>(calls.size()));
    if (call == calls.size()) calls.push_back(0);
    calls[call] += tree.total[i];
    if (calls[call] > most[callee]) {
      callers[callee] = caller;
      most[callee] = calls[call];
    }
  }
  return callers;
}

}  // namespace crema::profile
