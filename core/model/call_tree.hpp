#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/text.hpp"

namespace crema {

/// A function of a profile as a number: equal ids mean equal (name, file, first line).
using FrameId = std::uint32_t;

/// Every distinct function once, in columns indexed by FrameId. Identity is (name, file, first
/// line), as in Dask's `co_name;co_filename;co_firstlineno`; the label's line is the one seen first
/// and is no part of it (docs/meanings.md, Frames).
struct FrameTable {
  std::vector<StringId> name;
  std::vector<StringId> file;             ///< as recorded; "" when unknown
  std::vector<std::uint32_t> first_line;  ///< of the definition; 0 = unknown
  std::vector<std::uint32_t> line_seen;   ///< the line executing when first sampled; 0 = unknown
  std::vector<StringId> source_line;      ///< its text; no_string when unknown

  FrameId intern(StringId frame_name, StringId frame_file, std::uint32_t line);
  std::size_t size() const { return name.size(); }

 private:
  struct Key {
    StringId name, file;
    std::uint32_t line;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };
  std::unordered_map<Key, FrameId, Hash> ids_;
};

/// What all runs of a session share, so that ids can be compared between runs.
struct Names {
  StringPool strings;
  FrameTable frames;
};

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
  bool by_rows = false;          ///< of samples that know their task: of `crema.record`
  std::string source;            ///< the file it came from
  /// [s] Of a slice: only what was sampled in that time, on the run axis. Absent: the whole.
  double begin = absent, end = absent;

  std::vector<NodeId> parent;
  std::vector<FrameId> frame;
  std::vector<double> count;
  std::vector<double> on_cpu;  ///< [s] of what was sampled in the node itself; empty: not recorded
  std::vector<std::uint32_t> line;  ///< executing when the node was first sampled, 0 = unknown;
                                    ///< empty when the source has none

  /// The samples one by one, in recorded order: the node each was taken in (0 = idle) and what it
  /// counts. Empty when the source has no order, as Dask's have.
  std::vector<NodeId> sample_node;
  std::vector<double> sample_weight;

  std::size_t size() const { return parent.size(); }
  /// Adds a node with the line that was executing.
  NodeId add(NodeId of_parent, FrameId of_frame, double counted, std::uint32_t at_line) {
    parent.push_back(of_parent);
    frame.push_back(of_frame);
    count.push_back(counted);
    line.push_back(at_line);
    return static_cast<NodeId>(size() - 1);
  }
};

/// Finds the child of a node by its frame, while a tree grows: open addressing, no allocation per
/// node.
class ChildIndex {
 public:
  ChildIndex();

  /// The node known as child `frame` of `parent`; where there is none yet, `added` becomes it.
  /// `parent` may be no_node.
  NodeId find_or_add(NodeId parent, std::uint32_t frame, NodeId added);

  /// The node known as child `frame` of `parent`, or no_node.
  NodeId find(NodeId parent, std::uint32_t frame) const;

  /// As `find`, but looks only at the two places where the child most likely is: no_node may be
  /// wrong. It does not branch on what it reads, so that many glances wait for memory together.
  NodeId glance(NodeId parent, std::uint32_t frame) const {
    const std::uint32_t at = parent + 1;
    const First first = at < first_.size() ? first_[at] : First{};
    const Other other = others_[home_of(parent, frame)];
    // a node that is not there is all ones, and so is one that is another
    const auto unless = [](std::uint32_t differs) { return differs == 0 ? 0U : no_node; };
    return (first.node | unless(first.frame ^ frame)) &
           (other.node | unless((other.frame ^ frame) | (other.parent ^ parent)));
  }

 private:
  struct First {
    NodeId node = no_node;
    std::uint32_t frame = 0;
  };
  struct Other {
    NodeId parent = no_node;
    std::uint32_t frame = 0;
    NodeId node = no_node;  // no_node = a free slot
  };

  /// Where the child is looked for first.
  std::size_t home_of(NodeId parent, std::uint32_t frame) const {
    const std::uint64_t key = (std::uint64_t{parent} << 32U) | frame;
    const std::uint64_t hash = (key ^ (key >> 29U)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash >> shift_);
  }
  /// Where the child is, or would be put.
  std::size_t slot_of(NodeId parent, std::uint32_t frame) const;
  void grow();

  // Most nodes have one child, and it is looked for while its parent is at hand. The others are
  // hashed: in a large tree each look-up then goes to memory, once.
  std::vector<First> first_;   // by parent + 1
  std::vector<Other> others_;  // slots, a power of two; at least half of them free
  unsigned shift_;             // 64 - log2 of it
  std::size_t count_ = 0;      // of those in use
};

}  // namespace crema
