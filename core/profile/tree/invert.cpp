#include "core/profile/tree/invert.hpp"

#include "core/profile/tree/growing_tree.hpp"

namespace crema::profile {

namespace {

constexpr std::size_t most_steps = 2'000'000;

/// A stack that is being turned: where it is in the tree it came from and where in the new one.
struct Turning {
  NodeId from;     // the node whose caller comes next
  NodeId to;       // in the new tree
  NodeId charged;  // whose amounts it carries
  bool unresolved;
};

// Level by level, so that a cut leaves every stack equally deep.
template <class Charge>
Inverted turned(const ResolvedTree& tree, GrowingTree& growing, std::vector<Turning> turning,
                const Charge& charge) {
  Inverted result;
  std::size_t steps = 0;
  std::size_t level = 1;
  while (!turning.empty()) {
    steps += turning.size();
    const bool is_cut = steps > most_steps;
    if (is_cut) result.callers = level;
    std::vector<Turning> next;
    for (const Turning& one : turning) {
      if (is_cut || one.from == 0 || tree.parent[one.from] == 0) {
        charge(growing, one);
        continue;
      }
      const NodeId caller = tree.parent[one.from];
      next.push_back(
          {caller, growing.child(one.to, tree.frame[caller]), one.charged, one.unresolved});
    }
    turning = std::move(next);
    ++level;
  }
  std::vector<NodeId> place;
  result.tree = growing.take(place);
  return result;
}

}  // namespace

Inverted invert(const ResolvedTree& tree, const FrameFacts& facts) {
  if (tree.size() == 0) return {};
  GrowingTree growing;
  growing.child(no_node, tree.frame[0]);
  if (!tree.unsettled.empty()) growing.tree().unsettle();
  std::vector<Turning> turning;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<NodeId>(i);
    if (tree.self[i] > 0 || tree.self_max(i) > 0) {
      const NodeId to = i == 0 ? 0 : growing.child(0, tree.frame[i]);
      turning.push_back({node, to, node, false});
    }
    if (tree.unresolved(i) > 0) {
      NodeId to = growing.child(0, facts.unresolved());
      if (i > 0) to = growing.child(to, tree.frame[i]);
      turning.push_back({node, to, node, true});
    }
  }
  Inverted result =
      turned(tree, growing, std::move(turning), [&](GrowingTree& into, const Turning& one) {
        ResolvedTree& made = into.tree();
        const double amount =
            one.unresolved ? tree.unresolved(one.charged) : tree.self[one.charged];
        // A stack that ends in the unknown callee is its caller's unresolved part.
        if (one.to != 0 && made.frame[one.to] == facts.unresolved()) {
          made.unsettle();
          made.unsettled[made.parent[one.to]].unresolved += amount;
          return;
        }
        made.self[one.to] += amount;
        if (one.unresolved || made.unsettled.empty()) return;
        Unsettled charged = tree.unsettled_at(one.charged);
        charged.unresolved = 0;  // turned on its own
        made.unsettled[one.to] += charged;
      });
  return result;
}

Inverted callers_of(const ResolvedTree& tree, const std::vector<bool>& matching) {
  if (tree.size() == 0) return {};
  GrowingTree growing;
  growing.child(no_node, tree.frame[0]);
  std::vector<bool> covered(tree.size(), false);
  std::vector<Turning> turning;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const bool outermost = matching[tree.frame[i]] && !covered[tree.parent[i]];
    covered[i] = outermost || covered[tree.parent[i]];
    if (!outermost) continue;
    const auto node = static_cast<NodeId>(i);
    turning.push_back({node, growing.child(0, tree.frame[i]), node, false});
  }
  return turned(tree, growing, std::move(turning), [&](GrowingTree& into, const Turning& one) {
    ResolvedTree& made = into.tree();
    made.self[one.to] += tree.total[one.charged];
  });
}

}  // namespace crema::profile
