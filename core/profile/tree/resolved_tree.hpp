#pragma once

#include <cstdint>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema::profile {

/// What is not settled about the samples of a node: its self time lies between `self_min` (certain)
/// and `self_max` (if all that is open fell to this node).
struct Unsettled {
  double self_min = 0;
  double self_max = 0;
  double unresolved = 0;  ///< sampled in *direct children* of the node, nobody knows in which ("in
                          ///< callees, unresolved")
  double estimated =
      0;  ///< the part of the self time that is shared out, not certain (LeafChoice::estimated)

  void operator+=(const Unsettled& other) {
    self_min += other.self_min;
    self_max += other.self_max;
    unresolved += other.unresolved;
    estimated += other.estimated;
  }
};

/// A call tree whose samples are charged to the frames they were taken in, as far as that is known.
/// Columns by NodeId; node 0 is the root and parents come before their children. In the unit of the
/// CallTree.
///
///     total = self + Σ total of the children + unresolved
struct ResolvedTree {
  std::vector<NodeId> parent;
  std::vector<FrameId> frame;
  std::vector<double> total, self;
  /// empty where every sample is settled, as in a tree whose leaves are counted
  std::vector<Unsettled> unsettled;

  std::size_t size() const { return parent.size(); }
  double whole() const { return total.empty() ? 0 : total[0]; }

  Unsettled unsettled_at(std::size_t i) const {
    return unsettled.empty() ? Unsettled{self[i], self[i]} : unsettled[i];
  }
  double self_min(std::size_t i) const {
    return unsettled.empty() ? self[i] : unsettled[i].self_min;
  }
  double self_max(std::size_t i) const {
    return unsettled.empty() ? self[i] : unsettled[i].self_max;
  }
  double unresolved(std::size_t i) const { return unsettled.empty() ? 0 : unsettled[i].unresolved; }
  double estimated(std::size_t i) const { return unsettled.empty() ? 0 : unsettled[i].estimated; }

  /// Makes the column `unsettled` of a tree that has none, so that it can be written to.
  void unsettle();
  /// Only the first `nodes` stay.
  void resize(std::size_t nodes);
  /// Works the totals out from what is charged to the nodes, and drops nodes that nothing is
  /// charged to or below. `place` holds nodes of this tree and is brought up to date: no_node for
  /// those that were dropped.
  void settle(std::vector<NodeId>& place);
};

/// What becomes of the frames that Dask does not count (docs/meanings.md, Leaves; the option
/// `leaves`).
enum class LeafChoice : std::uint8_t {
  forced,     ///< what can only have been one child is its self time, the rest is unresolved
  estimated,  ///< as forced, and the rest shared out among the children it can be
              ///< (core/profile/tree/estimate.hpp)
  counted,    ///< as counted by Dask: all of it is unresolved; the bounds are those of `forced`
  notebook,   ///< the founding notebook's "exclusive": what a node counts more than its children is
              ///< called its own
};

/// Charges the samples of one recorded tree, before any merging.
///
/// A tree with counted leaves has self = count − Σ children. In one with uncounted leaves (Dask's
/// worker profiles) that difference d was sampled in the k direct children, z of which count 0 and
/// must therefore have been the leaf at least once: k = 1 gives the child all of d; d = z gives
/// each of the z one sample and the others none; d > z gives each of the z at least one and leaves
/// d − z unresolved. d < z does not occur in a whole tree (only in pruned ones): nothing is
/// certain. In one whose silent children are missing, nothing is certain: the leaf may be a child
/// that is not there. A node that counts less than its children (a root of 0 among them) counts as
/// their sum.
void resolve(const CallTree& tree, LeafChoice choice, ResolvedTree& into);
ResolvedTree resolve(const CallTree& tree, LeafChoice choice = LeafChoice::forced);

/// The count of the whole tree: the root's, or the sum of its children where that is larger.
double whole_count(const CallTree& tree);

/// How many samples are charged to a frame for certain, how many by estimate, and how many are
/// unresolved.
struct Certainty {
  double certain = 0;
  double estimated = 0;
  double open = 0;
};
Certainty certainty(const ResolvedTree& tree);

}  // namespace crema::profile
