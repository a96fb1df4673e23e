#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/string_pool.hpp"
#include "core/model/frames.hpp"

namespace crema {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffffU;

/// One call tree as recorded, in columns indexed by NodeId. Nodes are in preorder: node 0 is the
/// root (parent no_node), which stands for the whole tree and is no function; parents come before
/// their children.
struct CallTree {
  enum class Kind : std::uint8_t { worker, server, scheduler, key, merged, import };
  /// Whether a sample's innermost frame is counted. Dask's worker profiles do not count it
  /// (docs/meanings.md, Leaves), Dask's pages leave out frames that count nothing (missing), all
  /// other sources count it.
  enum class Leaves : std::uint8_t { uncounted, counted, missing };
  /// What it was written as, finest first: where two sources say the same, the finer one counts
  /// (docs/meanings.md, Runs).
  enum class Form : std::uint8_t { tree, stacks, boxes };

  std::string name;  ///< what the source calls it: an address, a task prefix, a profile's name
  Kind kind = Kind::merged;
  Leaves leaves = Leaves::uncounted;
  Form form = Form::tree;
  StringId worker = no_string;   ///< address, where the tree belongs to one worker
  StringId key = no_string;      ///< task prefix, where it belongs to one
  std::string unit = "samples";  ///< what `count` counts: "samples", "s", "byte"
  double interval = absent;      ///< [s] between samples, where recorded
  bool siblings_differ = false;  ///< known: no two children of a node are one frame
  std::string source;            ///< the file it came from
  /// [s] Of a slice: only what was sampled in that time, on the run axis. Absent: the whole.
  double begin = absent, end = absent;

  std::vector<NodeId> parent;
  std::vector<FrameId> frame;
  std::vector<double> count;
  std::vector<std::uint32_t> line;  ///< executing when the node was first sampled, 0 = unknown;
                                    ///< empty when the source has none

  /// The samples one by one, in recorded order: the node each was taken in (0 = idle) and what it
  /// counts. Empty when the source has no order, as Dask's have.
  std::vector<NodeId> sample_node;
  std::vector<double> sample_weight;

  std::size_t size() const { return parent.size(); }
};

}  // namespace crema
