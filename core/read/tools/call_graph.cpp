#include "core/read/tools/call_graph.hpp"

#include <algorithm>

#include "core/base/order.hpp"

namespace crema::read {

namespace {

constexpr double least_share = 1e-4;  // of all; a thousandth of a pixel
// What is beyond is a graph made to have many paths.
constexpr std::size_t most_places = 200000;
constexpr std::size_t most_work = 20000000;
constexpr std::uint32_t most_levels = 500;

}  // namespace

std::uint32_t CallGraph::index(FrameId frame) {
  if (index_.size() <= frame) index_.resize(frame + 1, none);
  if (index_[frame] == none) {
    index_[frame] = static_cast<std::uint32_t>(functions_.size());
    functions_.push_back({.frame = frame, .cost = {}});
  }
  return index_[frame];
}

void CallGraph::add_function(FrameId frame, Cost cost) {
  Cost& known = functions_[index(frame)].cost;
  known.self += cost.self;
  known.total += cost.total;
}

void CallGraph::add_call(FrameId caller, FrameId callee, Cost cost) {
  const std::uint32_t from = index(caller);
  const std::uint32_t to = index(callee);
  if (from == to) return;
  calls_.push_back({to, functions_[from].calls, cost});
  functions_[from].calls = static_cast<std::uint32_t>(calls_.size() - 1);
  ++functions_[from].call_count;
  functions_[to].called.self += cost.self;
  functions_[to].called.total += cost.total;
}

bool CallGraph::is_above(std::uint32_t place, std::uint32_t function) const {
  while (place != none && places_[place].function != function) place = places_[place].above;
  return place != none;
}

void CallGraph::place(StackTree& stacks, std::uint32_t function, std::uint32_t above, double self,
                      double share) {
  Function& of = functions_[function];
  const NodeId parent = above == none ? StackTree::root : places_[above].node;
  const std::uint32_t depth = above == none ? 1 : places_[above].depth + 1;
  of.is_placed = true;
  of.placed += self;
  places_.push_back(
      {stacks.child(parent, of.frame), function, above, depth, self, std::min(share, 1.0)});
}

void CallGraph::follow(StackTree& stacks) {
  for (; followed_ < places_.size(); ++followed_) {
    const Place from = places_[followed_];
    Function& caller = functions_[from.function];
    const bool matters = from.share * caller.cost.total >= least_ && places_.size() < most_places &&
                         work_ < most_work;
    if ((caller.is_followed && !matters) || from.depth >= most_levels) continue;
    caller.is_followed = true;
    work_ += std::size_t{caller.call_count} * from.depth;
    for (std::uint32_t i = caller.calls; i != none; i = calls_[i].next) {
      const Call& call = calls_[i];
      const Function& callee = functions_[call.callee];
      const double total = from.share * call.cost.total;
      if ((total < least_ && callee.is_placed) ||
          is_above(static_cast<std::uint32_t>(followed_), call.callee))
        continue;
      place(stacks, call.callee, static_cast<std::uint32_t>(followed_), from.share * call.cost.self,
            callee.cost.total > 0 ? total / callee.cost.total : 0);
    }
  }
}

void CallGraph::make_stacks(StackTree& stacks) {
  double all = 0;
  for (const Function& one : functions_) all += one.cost.self;
  least_ = all * least_share;
  std::vector<std::uint32_t> order(functions_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_stably(order, [&](std::uint32_t a, std::uint32_t b) {
    return functions_[a].cost.total > functions_[b].cost.total;
  });
  // What nobody called, or not for all of its cost: rounding is no call.
  for (const std::uint32_t i : order) {
    const Function& one = functions_[i];
    const double rest = one.cost.total - one.called.total;
    if (rest > 1e-9 * all && rest >= least_)
      place(stacks, i, none, std::max(0.0, one.cost.self - one.called.self), rest / one.cost.total);
  }
  follow(stacks);
  // What is reached by none of these, as functions that call each other: the costliest first.
  for (const std::uint32_t i : order) {
    const Function& one = functions_[i];
    if (one.is_placed || !(one.cost.self > 0)) continue;
    place(stacks, i, none, one.cost.self, 1);
    follow(stacks);
  }
  for (const Place& one : places_) {
    const Function& of = functions_[one.function];
    if (of.placed > 0) stacks.charge(one.node, one.self * (of.cost.self / of.placed));
  }
  // Placed, but by calls that cost nothing themselves.
  for (const Function& one : functions_) {
    if (one.is_placed && !(one.placed > 0) && one.cost.self > 0)
      stacks.charge(stacks.child(StackTree::root, one.frame), one.cost.self);
  }
}

}  // namespace crema::read
