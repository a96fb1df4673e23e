// Compiled for speed: it runs for every node of a call tree.
#include "core/base/collect.hpp"
#include "core/profile/transform.hpp"

#include <algorithm>
#include <span>

namespace crema::profile {

namespace {

struct Family {
  double counted = 0;        // Σ count of the children
  double deficit = 0;        // what the parent counts more than they
  std::uint32_t size = 0;    // children
  std::uint32_t silent = 0;  // children that count 0
};

struct Bounds {
  double lo = 0;
  double hi = 0;
};

// How often a child was the leaf, where `deficit` samples of its parent had one of its children as
// leaf. With as many samples as silent children the bounds meet.
Bounds leaf_samples(const Family& family, bool silent) {
  const double deficit = family.deficit;
  if (family.size == 1) return {deficit, deficit};
  const auto zeros = static_cast<double>(family.silent);
  if (deficit < zeros) return {0, deficit};
  return silent ? Bounds{1, deficit - (zeros - 1)} : Bounds{0, deficit - zeros};
}

constexpr std::size_t together = 8;  // trees; more gain nothing

/// Grows the tree that several make together, before its numbers: nodes with the same path of
/// frames are one, roots are one whatever they are called. `same_as[frame]` is the frame that
/// stands for it
/// (`FrameFacts::same_as`). Nodes stand in order of first sight: node by node of the first eight
/// trees in turn, then of the next eight. Linear in the number of nodes. Returns of each tree the
/// nodes that its own are part of.
std::vector<std::vector<NodeId>> unite(std::span<const CallTree* const> trees,
                                       std::span<const FrameId> same_as, GrowingTree& growing) {
  std::vector<std::vector<NodeId>> place(trees.size());
  // Node by node of several trees in turn: where the child of a node is, in a large tree, has to
  // come from memory, and is asked for in all of them before any waits for it.
  for (std::size_t begin = 0; begin < trees.size(); begin += together) {
    struct Walk {
      const CallTree* tree;
      NodeId* place;
      NodeId parent = no_node;
      FrameId frame = 0;
      NodeId seen = no_node;
    };
    std::vector<Walk> walks;
    std::size_t longest = 0;
    for (std::size_t t = begin; t < std::min(trees.size(), begin + together); ++t) {
      const std::size_t size = trees[t]->size();
      if (size == 0) continue;
      longest = std::max(longest, size);
      place[t].resize(size);
      if (growing.tree().size() == 0) growing.child(no_node, same_as[trees[t]->frame[0]]);
      walks.push_back({trees[t], place[t].data()});
    }
    for (std::size_t i = 1; i < longest; ++i) {
      std::erase_if(walks, [&](const Walk& one) { return one.tree->size() <= i; });
      for (Walk& one : walks) {
        one.parent = one.place[one.tree->parent[i]];
        one.frame = same_as[one.tree->frame[i]];
        one.seen = growing.glance(one.parent, one.frame);
      }
      for (Walk& one : walks)
        one.place[i] = one.seen != no_node ? one.seen : growing.child(one.parent, one.frame);
    }
  }
  if (none_of(trees, [](const CallTree* t) { return t->on_cpu.empty(); }))
    growing.tree().on_cpu.assign(growing.tree().size(), 0);
  return place;
}

/// Adds every number of `tree`, totals too: those of its node i to the node `place[i]` of `into`.
void add_numbers(const ResolvedTree& tree, const std::vector<NodeId>& place, ResolvedTree& into) {
  if (!tree.unsettled.empty()) into.unsettle();
  // Column by column: nothing waits for anything then, and in a large tree every sum is far from
  // the next.
  for (const auto column : {&ResolvedTree::total, &ResolvedTree::self}) {
    double* const sums = (into.*column).data();
    const double* const values = (tree.*column).data();
    for (std::size_t i = 0; i < place.size(); ++i) sums[place[i]] += values[i];
  }
  for (std::size_t i = 0; !into.on_cpu.empty() && i < place.size(); ++i)
    into.on_cpu[place[i]] += tree.on_cpu[i];
  for (std::size_t i = 0; !into.unsettled.empty() && i < place.size(); ++i)
    into.unsettled[place[i]] += tree.unsettled_at(i);
}

/// Shares out what leaf recovery leaves open (docs/meanings.md, Leaves): the unresolved samples of
/// a node go to the children that can have been the leaf, in proportion to how many samples were
/// *certainly* taken in the same function under the same caller anywhere in the profile, plus one.
/// What it adds is in `ResolvedTree::estimated`; min and max stay as they are and hold it.
class LeafEstimate {
 public:
  /// `same_as[frame]` is the frame that stands for it (`FrameFacts::same_as`).
  explicit LeafEstimate(std::span<const FrameId> same_as) : same_as_(same_as) {}

  /// Learns from a tree resolved by `LeafChoice::forced`.
  void learn(const ResolvedTree& forced) {
    for (std::size_t i = 1; i < forced.size(); ++i) {
      if (!(forced.self[i] > 0)) continue;
      const auto added = static_cast<NodeId>(certain_.size());
      const NodeId pair =
          pairs_.find_or_add(of(forced.frame[forced.parent[i]]), of(forced.frame[i]), added);
      if (pair == added) certain_.push_back(0);
      certain_[pair] += forced.self[i];
    }
  }

  /// Shares out the unresolved parts of such a tree. One whose silent children are missing stays as
  /// it is: the leaf may be a child that is not there.
  void apply(ResolvedTree& forced) const {
    const std::size_t n = forced.size();
    std::vector<double> weights(n, 0.0);
    std::vector<double> sum(n, 0.0);  // of the children's weights
    for (std::size_t i = 1; i < n; ++i) {
      const NodeId parent = forced.parent[i];
      if (!(forced.unresolved(parent) > 0) || !(forced.self_max(i) > forced.self[i])) continue;
      const NodeId pair = pairs_.find(of(forced.frame[parent]), of(forced.frame[i]));
      weights[i] = 1 + (pair == no_node ? 0 : certain_[pair]);
      sum[parent] += weights[i];
    }
    for (std::size_t i = 1; i < n; ++i) {
      if (weights[i] == 0) continue;
      const NodeId parent = forced.parent[i];
      const double share = forced.unresolved(parent) * (weights[i] / sum[parent]);
      forced.self[i] += share;
      forced.total[i] += share;
      forced.unsettled[i].estimated += share;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (sum[i] > 0) forced.unsettled[i].unresolved = 0;
    }
  }

 private:
  FrameId of(FrameId frame) const { return same_as_.empty() ? frame : same_as_[frame]; }

  std::span<const FrameId> same_as_;
  ChildIndex pairs_;  // of a caller and its callee
  std::vector<double> certain_;
};

// Whether a tree added to nothing is that tree: no nodes of it become one.
bool is_merged(const CallTree& tree, const FrameFacts& facts) {
  if (!facts.same_as.empty() &&
      !all_of(tree.frame, [&](FrameId frame) { return facts.same_as[frame] == frame; }))
    return false;
  if (tree.siblings_differ) return true;
  const Children children = children_of(tree.parent);
  std::vector<NodeId> last_parent(facts.size(), no_node);  // of each frame
  for (NodeId node = 0; node < tree.size(); ++node) {
    for (std::uint32_t i = children.first[node]; i < children.first[node + 1]; ++i) {
      NodeId& parent = last_parent[tree.frame[children.child[i]]];
      if (parent == node) return false;
      parent = node;
    }
  }
  return true;
}

}  // namespace

void ResolvedTree::unsettle() {
  if (!unsettled.empty()) return;
  unsettled.resize(size());
  for (std::size_t i = 0; i < size(); ++i) unsettled[i] = {self[i], self[i]};
}

void ResolvedTree::resize(std::size_t nodes) {
  parent.resize(nodes);
  frame.resize(nodes);
  total.resize(nodes);
  self.resize(nodes);
  if (!on_cpu.empty()) on_cpu.resize(nodes);
  if (!unsettled.empty()) unsettled.resize(nodes);
}

void ResolvedTree::settle(std::vector<NodeId>& place) {
  const std::size_t n = size();
  std::vector<bool> kept(n, false);
  std::fill(total.begin(), total.end(), 0.0);
  for (std::size_t i = n; i-- > 0;) {
    total[i] += self[i] + unresolved(i);
    if (total[i] > 0 || self_max(i) > 0 || i == 0) kept[i] = true;
    if (i == 0) break;
    total[parent[i]] += total[i];
    if (kept[i]) kept[parent[i]] = true;
  }
  if (!contains(kept, false)) return;
  std::vector<NodeId> moved(n, no_node);
  std::size_t left = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!kept[i]) continue;
    moved[i] = static_cast<NodeId>(left);
    parent[left] = i == 0 ? no_node : moved[parent[i]];
    frame[left] = frame[i];
    total[left] = total[i];
    self[left] = self[i];
    if (!on_cpu.empty()) on_cpu[left] = on_cpu[i];
    if (!unsettled.empty()) unsettled[left] = unsettled[i];
    ++left;
  }
  resize(left);
  for (NodeId& node : place) {
    if (node != no_node) node = moved[node];
  }
}

void resolve(const CallTree& tree, LeafChoice choice, ResolvedTree& into) {
  const std::size_t n = tree.size();
  into.parent = tree.parent;
  into.frame = tree.frame;
  into.total = tree.count;
  into.self.assign(n, 0);
  into.on_cpu = tree.on_cpu;
  into.unsettled.clear();

  if (tree.leaves == CallTree::Leaves::counted || choice == LeafChoice::notebook) {
    std::vector<double>& below = into.self;  // Σ total of the children, until it is complete
    for (std::size_t i = n; i-- > 0;) {
      const double total = into.total[i] = std::max(into.total[i], below[i]);
      below[i] = total - below[i];
      if (i > 0) below[tree.parent[i]] += total;
    }
    return;
  }

  std::vector<Family> families(n);
  for (std::size_t i = n; i-- > 0;) {
    double& count = into.total[i];
    count = std::max(count, families[i].counted);
    if (i == 0) break;
    Family& family = families[tree.parent[i]];
    family.counted += count;
    ++family.size;
    if (count == 0) ++family.silent;
  }
  into.unsettled.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    families[i].deficit = into.total[i] - families[i].counted;
    into.unsettled[i] = {.unresolved = families[i].deficit};
  }
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId parent = tree.parent[i];
    const Family& family = families[parent];
    const bool silent = into.total[i] == 0;
    const Bounds leaf = tree.leaves == CallTree::Leaves::missing ? Bounds{0, family.deficit}
                                                                 : leaf_samples(family, silent);
    into.unsettled[i].self_min = leaf.lo;
    into.unsettled[i].self_max = leaf.hi;
    if (choice == LeafChoice::counted) continue;
    into.self[i] = leaf.lo;
    into.total[i] += leaf.lo;
    into.unsettled[parent].unresolved -= leaf.lo;
  }
}

ResolvedTree resolve(const CallTree& tree, LeafChoice choice) {
  ResolvedTree resolved;
  resolve(tree, choice, resolved);
  return resolved;
}

double whole_count(const CallTree& tree) {
  std::vector<double> below(tree.size(), 0.0);
  for (std::size_t i = tree.size(); i-- > 1;)
    below[tree.parent[i]] += std::max(tree.count[i], below[i]);
  return tree.size() == 0 ? 0 : std::max(tree.count[0], below[0]);
}

Certainty certainty(const ResolvedTree& tree) {
  Certainty sum;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Unsettled open = tree.unsettled_at(i);
    sum.certain += tree.self[i] - open.estimated;
    sum.estimated += open.estimated;
    sum.open += open.unresolved;
  }
  return sum;
}

bool is_sum_of_itself(const std::vector<const CallTree*>& trees, const FrameFacts& facts) {
  return trees.size() == 1 && is_merged(*trees[0], facts);
}

ResolvedTree merged_tree(const std::vector<const CallTree*>& trees, LeafChoice choice,
                         const FrameFacts& facts, std::vector<NodeId>* place) {
  const bool estimates = choice == LeafChoice::estimated;
  const LeafChoice each = estimates ? LeafChoice::forced : choice;
  const auto is_estimated = [&](const CallTree& tree) {
    return estimates && tree.leaves == CallTree::Leaves::uncounted;
  };
  LeafEstimate estimate(facts.same_as);
  if (is_sum_of_itself(trees, facts)) {
    ResolvedTree tree = resolve(*trees[0], each);
    if (is_estimated(*trees[0])) {
      estimate.learn(tree);
      estimate.apply(tree);
    }
    return tree;
  }
  ResolvedTree resolved;
  for (const CallTree* tree : trees) {
    if (!is_estimated(*tree)) continue;
    resolve(*tree, each, resolved);
    estimate.learn(resolved);
  }
  GrowingTree all;
  std::vector<std::vector<NodeId>> places = unite(trees, facts.same_as, all);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    resolve(*trees[t], each, resolved);
    if (is_estimated(*trees[t])) estimate.apply(resolved);
    add_numbers(resolved, places[t], all.tree());
  }
  if (place != nullptr && !trees.empty()) *place = std::move(places.back());
  return std::move(all.tree());
}

}  // namespace crema::profile
