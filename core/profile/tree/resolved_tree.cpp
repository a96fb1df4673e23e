// Compiled for speed: it runs for every node of a call tree.
#include "core/profile/tree/resolved_tree.hpp"

#include <algorithm>

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
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return;
  std::vector<NodeId> moved(n, no_node);
  std::size_t left = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!kept[i]) continue;
    moved[i] = static_cast<NodeId>(left);
    parent[left] = i == 0 ? no_node : moved[parent[i]];
    frame[left] = frame[i];
    total[left] = total[i];
    self[left] = self[i];
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

}  // namespace crema::profile
