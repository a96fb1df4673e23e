#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/frames.hpp"

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
  std::vector<double> on_cpu;  ///< [s] the part of `self` on a CPU; empty where not recorded
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
  double on_cpu_at(std::size_t i) const { return on_cpu.empty() ? absent : on_cpu[i]; }
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

/// Whether what `merged_tree` makes of `trees` has the nodes of a recorded tree, because there is
/// one and no nodes of it become one.
bool is_sum_of_itself(const std::vector<const CallTree*>& trees, const FrameFacts& facts);

/// Resolves the trees, each for itself, then adds them up; what is shared out
/// (LeafChoice::estimated) is weighed by all of them. `place` gets where the nodes of the last tree
/// went; nothing where each is where it was.
ResolvedTree merged_tree(const std::vector<const CallTree*>& trees, LeafChoice choice,
                         const FrameFacts& facts, std::vector<NodeId>* place = nullptr);

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

/// The children of every node: those of `node` are `child[first[node]] ... child[first[node + 1] -
/// 1]`, in order of NodeId.
struct Children {
  std::vector<std::uint32_t> first;
  std::vector<NodeId> child;
};
Children children_of(const std::vector<NodeId>& parent);

/// How siblings are ordered: the heaviest first (ties by name, file, line), or by name, file, line.
enum class SiblingOrder : std::uint8_t { heavy, name };
/// The children of every node, siblings in order: what is drawn again and again from.
Children ordered_children(const ResolvedTree& tree, const FrameFacts& facts, SiblingOrder order);

/// Nodes in preorder with their depths (root 0).
struct Preorder {
  std::vector<NodeId> node;
  std::vector<std::uint32_t> depth;
};
Preorder preorder(const Children& children);
/// Whether the nodes are in preorder as they are numbered, as in recorded trees.
bool is_preorder(const std::vector<NodeId>& parent);

/// Depth of the deepest node; 0 for a root alone.
std::uint32_t depth_of(const std::vector<NodeId>& parent);

/// The boxes of a flame graph in preorder, in columns. A node's children stand from its left edge
/// on, then the box of its unresolved part, then the gap that is its self time. Nodes without width
/// (frames that were only ever seen as leaf, with nothing certain) have no box.
struct Layout {
  std::vector<NodeId> node;          ///< of a run: its parent
  std::vector<std::uint32_t> depth;  ///< root 0; an unresolved part one below its node
  std::vector<double> begin, end;    ///< in the tree's unit, root from 0 to its total
  std::vector<bool> is_unresolved;   ///< the box is the unresolved part of `node`
  // Empty where no runs were asked for.
  std::vector<std::uint32_t> run;        ///< what `run_at` gives
  std::vector<std::uint32_t> run_first;  ///< where a run begins in `Children::child`

  std::size_t size() const { return node.size(); }
  /// How many boxes too narrow to be seen it stands for; 0 = it is one box.
  std::uint32_t run_at(std::size_t box) const { return run.empty() ? 0 : run[box]; }
};

/// What of a layout is wanted.
struct Window {
  double begin = 0;  ///< in the tree's unit
  double end = std::numeric_limits<double>::infinity();
  double min_width = 0;  ///< narrower boxes are left out, with all below them
  bool runs = false;     ///< ...and stand together in runs instead
};

/// The boxes that lie in the window. The work goes with what is to be seen, not with the tree.
Layout lay_out(const ResolvedTree& tree, const Children& children, const Window& window);

/// What could not be done to a tree whole.
struct TreeLimit {
  enum class Kind : std::uint8_t {
    unordered,  ///< call trees have no order, a time range does not narrow them: `count` of `all`
    too_deep,   ///< to be inverted: callers more than `count` above are left out
  };
  Kind kind;
  std::size_t count = 0, all = 0;
};

/// A call tree to be drawn: profiles added up, then transformed.
struct FlameTree {
  ResolvedTree tree;
  /// names of its frames: those of groups once it is grouped
  std::shared_ptr<const FrameFacts> facts;
  /// As of CallTree, where the source has an order; no_node = left out. Empty once samples have no
  /// place (inverted).
  std::vector<NodeId> sample_node;
  std::vector<double> sample_weight;
  double time_begin = 0;  ///< of the first sample, in the tree's unit since the source's first
  std::vector<TreeLimit> limits;
};

/// The boxes of a tree's ordered samples, laid end to end: equal callees of consecutive samples are
/// one box, idle samples and those that a transform left out are gaps. Boxes come as they end. In
/// the unit of the samples, from the first one on.
Layout lay_out_in_time(const FlameTree& tree, const Window& window);

/// What all the samples take, gaps included, in their unit.
double time_extent(const FlameTree& tree);

/// For every node a number that tells its stack from all others, the same in every profile and run:
/// a hash (52 bits) of name, file and line from the root's callee down to it. The root's is 0.
class PathNumbers {
 public:
  /// Keeps references to both.
  PathNumbers(const ResolvedTree& tree, const FrameFacts& facts);

  /// That of one node. In the order of a layout each takes one step from the one before; at worst
  /// it takes as many as the node is deep.
  double of(NodeId node);
  /// Those of all, by NodeId.
  std::vector<double> all();

 private:
  std::uint64_t below(std::uint64_t parent, FrameId frame);

  const ResolvedTree& tree_;
  const FrameFacts& facts_;
  std::vector<std::uint64_t> own_;  // of each frame, looked up once
  struct Step {
    NodeId node;
    std::uint64_t hash;
  };
  std::vector<Step> path_;  // from the root to the node that was last asked for
  std::vector<NodeId> up_;
};

/// Two trees on one: nodes with the same stack of functions are one, and each knows what it was in
/// either. Columns by NodeId. `a` and `b` are times their factors; what a tree does not have is 0
/// there.
struct TreeDiff {
  ResolvedTree tree;      ///< its totals are as wide as `width` says
  std::vector<double> a;  ///< total in A
  std::vector<double> b;
  std::vector<double> a_self, b_self;  ///< self and unresolved
};

enum class DiffWidth : std::uint8_t {
  b,     ///< as wide as in B
  a,     ///< as wide as in A
  both,  ///< the mean of both: nothing is without width that either has
};

/// `a_factor`, `b_factor` scale the numbers: 1 / total compares shares, seconds per sample compares
/// time. Children stand in the order in which A, then B has them, so that the order of arguments
/// changes only signs.
TreeDiff diff(const ResolvedTree& a, double a_factor, const ResolvedTree& b, double b_factor,
              const std::vector<FrameId>& same_as, DiffWidth width);

/// `FrameFacts::same_as` for comparing runs of edited code in other folders: functions of the same
/// name in a file of the same normalised path (of the user's own files the last part) are the same,
/// whatever their line; where both trees have several of that name in a file, the first is the
/// first.
std::vector<FrameId> same_in_both(const FrameFacts& facts, const ResolvedTree& a,
                                  const ResolvedTree& b);

/// What of a tree matches a search.
struct Matches {
  std::vector<std::uint8_t> frame;  ///< by FrameId, 1 = it matches
  /// by NodeId, 1 = the node's frame matches, or that of a node below it
  std::vector<std::uint8_t> within;
  double hits = 0;   ///< matching nodes that anything was sampled in
  double total = 0;  ///< of the matching nodes, counted once where one is inside another
};

/// `frames[frame]`: whether the frame matches. The root is no function and matches nothing.
Matches matches_in(const ResolvedTree& tree, const std::vector<bool>& frames);

/// By box of the layout, 1 = it matches; of a run: one of its boxes, or one below, does. `children`
/// is what was laid out, nullptr where its runs are not of nodes.
std::vector<std::uint8_t> marks_of(const Layout& layout, const ResolvedTree& tree,
                                   const Children* children, const Matches& found);

/// What each function took part in, in columns; functions in order of FrameId, those of the tree
/// only. The root is none.
struct Functions {
  std::vector<FrameId> frame;
  std::vector<double> total;  ///< samples with the function on the stack, once under recursion
  std::vector<double> self, self_min, self_max;
  std::vector<double> unresolved;  ///< in direct callees, unknown which
  /// charged to it as the innermost frame of the analysis code; 0 for other code
  std::vector<double> own;
  /// the part of `own` that can be of another function of the analysis, which it calls
  std::vector<double> unclear;
  std::vector<double> estimated;   ///< the part of self that is shared out, not certain
  std::vector<double> boxes;       ///< how many stacks end in or pass through it: nodes of the tree
  std::vector<bool> is_recursive;  ///< it occurs under itself

  std::size_t size() const { return frame.size(); }
};

/// An unresolved part is charged to the innermost analysis frame of the node it hangs on, as if the
/// leaf were a library's.
Functions functions_of(const ResolvedTree& tree, const FrameFacts& facts);

/// By FrameId, for functions of the analysis: the function of the analysis that calls it most;
/// itself where none does. Apart from `functions_of`, because each pair of functions is counted,
/// of which a large tree has millions.
std::vector<FrameId> main_callers(const ResolvedTree& tree, const FrameFacts& facts);

/// The stacks of a tree that have samples of their own, in the order of a left-heavy flame graph:
/// of each node its callees, then what is unresolved in them, then its self time. `visit(stack,
/// weight, is_unresolved, node)`: `stack` holds the frames from the outermost on (without the root)
/// to that of `node`; unresolved weights were sampled in unknown callees of it.
template <class Visit>
void for_each_stack(const ResolvedTree& tree, const FrameFacts& facts, const Visit& visit) {
  const Preorder walk = preorder(ordered_children(tree, facts, SiblingOrder::heavy));
  std::vector<NodeId> open;    // the path to the current node, with the root
  std::vector<FrameId> stack;  // its frames, without the root's
  const auto leave = [&] {
    const NodeId node = open.back();
    if (tree.unresolved(node) > 0) visit(stack, tree.unresolved(node), true, node);
    if (tree.self[node] > 0) visit(stack, tree.self[node], false, node);
    open.pop_back();
    if (!stack.empty()) stack.pop_back();
  };
  for (std::size_t i = 0; i < walk.node.size(); ++i) {
    while (open.size() > walk.depth[i]) leave();
    open.push_back(walk.node[i]);
    if (i > 0) stack.push_back(tree.frame[walk.node[i]]);
  }
  while (!open.empty()) leave();
}

}  // namespace crema::profile
