#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/frames.hpp"
#include "core/profile/tree.hpp"

namespace crema::profile {

/// A small regular expression that cannot run away: all possibilities are followed at once
/// (Thompson's construction), so that a search takes length of text x length of expression steps at
/// most. std::regex is recursive, exponential, and larger than the rest of this folder.
///
/// It knows  . * + ? {n} {n,} {,m} {n,m} | ( ) (?: ) ^ $ \b \B  [abc] [a-z] [^…]
/// \d \w \s \D \W \S \t \n \r \f \v  and \ before a character that is no letter or digit to mean
/// that character. Letters match in either case (ASCII). It matches bytes, so `.` is one byte of a
/// character outside of ASCII, and such a byte is no part of a word. Back references, look-around
/// and possessive repeats do not exist here.
class Regex {
 public:
  /// Failure bad_option with what is wrong.
  explicit Regex(std::string_view pattern);

  /// Whether the expression matches anywhere in `text`.
  bool search(std::string_view text) const;

 private:
  enum class Kind : std::uint8_t { set, begin, end, boundary, no_boundary, split, match };
  struct State {
    Kind kind;
    std::uint32_t set = 0;    // of `sets_`
    int next = 1, other = 1;  // how far away the states are that may follow
  };
  friend class RegexCompiler;

  std::vector<State> states_;
  std::vector<std::bitset<256>> sets_;
};

/// One step of what is done to a call tree before it is shown.
struct TransformStep {
  enum class Verb : std::uint8_t {
    keep,
    drop,
    fold,
    focus,
    subtree,
    callers,
    recursion,
    group,
    invert,
    range
  };
  Verb verb;
  std::string pattern;        ///< keep, drop, fold, focus, callers (`frames_matching`); of group,
                              ///< the libraries that stay open
  double path = 0;            ///< subtree: of `PathNumbers`
  Grouping grouping{};        ///< group
  double begin = 0, end = 0;  ///< range: in the profile's unit, from the first sample on
};

/// Reads a stack of steps, applied from left to right: "fold:numpy;focus:name=process;invert".
///
///     keep:PATTERN    drop:PATTERN    only samples with, without a matching frame
///     fold:PATTERN    focus:PATTERN   matching frames are taken out; stacks begin at them
///     callers:PATTERN                 who calls it, bottom-up
///     subtree:PATH                    at and below one box (column `path` of `flame`)
///     recursion                       recursive calls are one with the outermost
///     group:package                   or file, function, category: one box per group
///     group:library,OPEN,...          runs of frames of a library are one, but of the
///                                     open ones; where all is native, nothing changes
///     invert                          bottom-up
///     range:BEGIN~END                 samples of that time, where the profile has an
///                                     order; it must be the first step
///
/// `\;` is a semicolon in a pattern. Failure bad_option for a step that is none.
std::vector<TransformStep> parse_transform(std::string_view text);

/// Applies all steps but `range`, which is for recorded trees (`cut_to_range`).
void transform_tree(const std::vector<TransformStep>& steps, FlameTree& to);

/// The tree of the samples of [begin, end], in its unit from the first sample on; a sample that
/// lies across an edge counts in part. nullopt where the source has no order.
std::optional<CallTree> cut_to_range(const CallTree& tree, double begin, double end);

/// A tree made of another, and where each node of that one went (no_node = left out; empty where
/// nodes have no place).
struct Transformed {
  ResolvedTree tree;
  std::vector<NodeId> place;
  std::size_t callers = 0;  ///< of a tree turned round: how many deep it was cut; 0 = not at all
};

// `matching` is by FrameId. Nothing is counted twice and, but for what is left out, nothing is
// lost.

/// Only samples with a matching frame on their stack.
Transformed keep(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Only samples without one.
Transformed drop(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Matching frames are taken out of the stacks; their time becomes their caller's.
Transformed fold(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Stacks begin at their outermost matching frame; samples without one are left out.
Transformed focus(const ResolvedTree& tree, const std::vector<bool>& matching);
/// Only what is at or below the node with that path number (`PathNumbers`), which stands right
/// below the root.
Transformed subtree(const ResolvedTree& tree, const FrameFacts& facts, double path);
/// A function that is on the stack already is one with its outermost call: a→b→a→c becomes a→c.
/// Self times of functions stay.
Transformed collapse_recursion(const ResolvedTree& tree);
/// Every frame becomes the one that stands for it (`facts.same_as`); a callee of the same group is
/// one with its caller.
Transformed regroup(ResolvedTree tree, const FrameFacts& facts);

/// Bottom-up: the innermost frames stand below the root, their callers below them. What is
/// unresolved in the callees of a stack begins with the frame `facts.unresolved()`. Turned twice, a
/// tree is what it was.
///
/// Every stack with time of its own becomes a path, and paths of deep trees have few nodes in
/// common: beyond 2 million steps the callers further out are left out.
Transformed invert(const ResolvedTree& tree, const FrameFacts& facts);

/// Who calls the matching functions, bottom-up: stacks from the outermost matching frame outwards,
/// with its total. What they total is what the functions total, recursion counted once.
Transformed callers_of(const ResolvedTree& tree, const std::vector<bool>& matching);

/// A ResolvedTree while it grows: children are found by their frame.
class GrowingTree {
 public:
  /// The child `frame` of `parent`, added when new; `child(no_node, frame)` makes the root.
  NodeId child(NodeId parent, FrameId frame);
  /// `ChildIndex::glance`
  NodeId glance(NodeId parent, FrameId frame) const { return children_.glance(parent, frame); }

  /// Adds what is charged to node `i` of `tree` itself (not its total) to `node`.
  void charge(NodeId node, const ResolvedTree& tree, std::size_t i);

  ResolvedTree& tree() { return tree_; }

  /// The tree, settled: `place` holds nodes of it (`ResolvedTree::settle`).
  ResolvedTree take(std::vector<NodeId>& place);

 private:
  ResolvedTree tree_;
  ChildIndex children_;
};

}  // namespace crema::profile
