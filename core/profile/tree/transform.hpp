#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/frame_facts.hpp"
#include "core/profile/tree/filter.hpp"

namespace crema::profile {

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
  std::string pattern;        ///< keep, drop, fold, focus, callers (core/profile/pattern.hpp); of
                              ///< group, the libraries that stay open
  double path = 0;            ///< subtree: of `PathNumbers`
  Grouping grouping{};        ///< group
  double begin = 0, end = 0;  ///< range: in the profile's unit, from the first sample on
};

/// Reads a stack of steps, applied from left to right: "fold:numpy;focus:name=process;invert".
///
///     keep:PATTERN   drop:PATTERN   fold:PATTERN   focus:PATTERN (core/profile/tree/filter.hpp,
///     core/profile/pattern.hpp) callers:PATTERN                   who calls it, bottom-up
///     subtree:PATH                      what is at and below one box (column `path` of `flame`)
///     recursion                         recursive calls are one with the outermost
///     group:package|file|function|category
///     group:library[,OPEN,...]          runs of frames of a library are one, but of the open ones;
///                                       where all is native code, nothing changes
///     invert                            bottom-up
///     range:BEGIN~END                   samples of that time, where the profile has an order;
///     first of all steps
///
/// `\;` is a semicolon in a pattern. Failure bad_option for a step that is none.
std::vector<TransformStep> parse_transform(std::string_view text);

/// A tree on its way through the steps.
struct FlameTree {
  ResolvedTree tree;
  /// names of its frames: those of groups once it is grouped
  std::shared_ptr<const FrameFacts> facts;
  /// As of CallTree, where the source has an order; no_node = left out. Empty once samples have no
  /// place (inverted).
  std::vector<NodeId> sample_node;
  std::vector<double> sample_weight;
  double time_begin = 0;  ///< of the first sample, in the tree's unit since the source's first
  std::vector<std::string> notes;  ///< sentences about what could not be done whole
};

/// Applies all steps but `range`, which is for recorded trees (`cut_to_range`).
void transform_tree(const std::vector<TransformStep>& steps, FlameTree& to);

/// The tree of the samples of [begin, end], in its unit from the first sample on; a sample that
/// lies across an edge counts in part. nullopt where the source has no order.
std::optional<CallTree> cut_to_range(const CallTree& tree, double begin, double end);

}  // namespace crema::profile
