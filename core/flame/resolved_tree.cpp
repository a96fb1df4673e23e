#include "core/flame/resolved_tree.hpp"

#include <algorithm>

namespace crema {

namespace {

struct Family {
  double counted = 0;        // Σ count of the children
  std::uint32_t size = 0;    // children
  std::uint32_t silent = 0;  // children that count 0
};

struct Bounds {
  double lo = 0;
  double hi = 0;
};

// How often a child was the leaf, where `deficit` samples of its parent had one of its children as leaf. With as many
// samples as silent children the bounds meet.
Bounds leaf_samples(double deficit, const Family& family, bool silent) {
  if (family.size == 1) return {deficit, deficit};
  const auto zeros = static_cast<double>(family.silent);
  if (deficit < zeros) return {0, deficit};
  return silent ? Bounds{1, deficit - (zeros - 1)} : Bounds{0, deficit - zeros};
}

}  // namespace

void resolve(const CallTree& tree, LeafChoice choice, ResolvedTree& into) {
  const std::size_t n = tree.size();
  into.parent = tree.parent;
  into.frame = tree.frame;
  into.total = tree.count;
  into.self.assign(n, 0);
  into.self_min.assign(n, 0);
  into.self_max.assign(n, 0);
  into.unresolved.assign(n, 0);
  into.estimated.assign(n, 0);

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

  if (tree.leaves == CallTree::Leaves::counted || choice == LeafChoice::notebook) {
    for (std::size_t i = 0; i < n; ++i) into.self[i] = into.self_min[i] = into.self_max[i] = into.total[i] - families[i].counted;
    return;
  }
  for (std::size_t i = 0; i < n; ++i) into.unresolved[i] = into.total[i] - families[i].counted;
  const std::vector<double> deficit = into.unresolved;  // of the counts; `unresolved` shrinks below
  for (std::size_t i = 1; i < n; ++i) {
    const NodeId parent = tree.parent[i];
    const bool silent = into.total[i] == 0;
    const Bounds leaf = tree.leaves == CallTree::Leaves::missing ? Bounds{0, deficit[parent]}
                                                                 : leaf_samples(deficit[parent], families[parent], silent);
    into.self_min[i] = leaf.lo;
    into.self_max[i] = leaf.hi;
    if (choice == LeafChoice::counted) continue;
    into.self[i] = leaf.lo;
    into.total[i] += leaf.lo;
    into.unresolved[parent] -= leaf.lo;
  }
}

ResolvedTree resolve(const CallTree& tree, LeafChoice choice) {
  ResolvedTree resolved;
  resolve(tree, choice, resolved);
  return resolved;
}

double whole_count(const CallTree& tree) {
  std::vector<double> below(tree.size(), 0.0);
  for (std::size_t i = tree.size(); i-- > 1;) below[tree.parent[i]] += std::max(tree.count[i], below[i]);
  return tree.size() == 0 ? 0 : std::max(tree.count[0], below[0]);
}

Certainty certainty(const ResolvedTree& tree) {
  Certainty sum;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    sum.certain += tree.self[i] - tree.estimated[i];
    sum.estimated += tree.estimated[i];
    sum.open += tree.unresolved[i];
  }
  return sum;
}

}  // namespace crema
