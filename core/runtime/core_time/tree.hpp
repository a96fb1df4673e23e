#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/model/frames.hpp"
#include "core/model/options.hpp"
#include "core/model/run.hpp"
#include "core/model/selection.hpp"

namespace crema::runtime {

/// What the time inside and outside process() unfolds into.
enum class CoreTimeSplit : std::uint8_t { functions, datasets, sections, activities };

/// A part of the core-time that unfolds into smaller ones.
struct CoreTimeNode {
  std::uint32_t parent = none;
  /// "available", "inside_process", "function", "library", "leaf", "dataset", "idle_cause", ...
  const char* kind = "";
  std::string label;    ///< for people
  std::string segment;  ///< its part of the path that is its id
  double core_seconds = 0;
  /// What is certain, and what is possible [core-s]: samples whose innermost frame can have been
  /// one of several, and the sampling error (95 %). Both are `core_seconds` of what was measured.
  double least = absent, most = absent;
  double on_cpu = absent, waiting = absent;  ///< [core-s]
  bool split_measured = false;  ///< of this very part; else as its task prefix was, as a whole
  double blocked = absent;      ///< [core-s] that certainly waited, by the profile
  double open = 0;  ///< [core-s] shared out among several that can have been the innermost frame
  const char* certainty = "measured";  ///< or "sampled", "estimated", "not known"
  std::string note;                    ///< where the number is from, a sentence
  std::string category;                ///< of code: whose it is
  std::string file;
  double line = absent;
  double samples = absent;
  FrameId frame = 0;  ///< of a function or a leaf

  static constexpr std::uint32_t none = 0xffffffffU;
};

/// Parents before children; each node is the sum of its children, where it has any. Only those of
/// the whole may come to more than it: then tasks took longer than their workers were seen.
struct CoreTimeTree {
  std::vector<CoreTimeNode> nodes;
  double excess = 0;  ///< [core-s] by which the parts of the whole exceed what was available
  std::string selection_note;  ///< what a selection could not narrow
  std::string source;          ///< what the parts of a selected time are from
  std::string missing;         ///< why there is nothing

  std::vector<std::vector<std::uint32_t>> children;  ///< of each node, in order

  std::string id(std::uint32_t node) const;  ///< its path: "available/inside_process/..."
  std::uint32_t depth(std::uint32_t node) const;
  double begin(std::uint32_t node) const;  ///< [core-s] from the whole's left edge
  double width() const { return nodes[0].core_seconds + excess; }  ///< [core-s] of all its parts
  /// The node of that id, the whole for ""; CoreTimeNode::none where there is none.
  std::uint32_t find(std::string_view id) const;
};

/// Kept by the run where nothing is selected.
std::shared_ptr<const CoreTimeTree> core_time_tree(const Run& run, const Selection& selection,
                                                   const Options& options, CoreTimeSplit by);

}  // namespace crema::runtime
