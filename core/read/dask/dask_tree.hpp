#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.hpp"
#include "core/json/nodes.hpp"
#include "core/model/call_tree.hpp"

namespace crema::read {

/// What was odd in a Dask tree, counted.
struct DaskTreeFaults {
  std::size_t bad_counts = 0;      ///< negative or not finite; treated as missing
  std::size_t missing_counts = 0;  ///< replaced by the sum of the children
  std::size_t too_small = 0;       ///< nodes that count less than their children together
};

/// Reads a node of a profile, with all below it, into a CallTree. Known forms, with keys in any
/// order: Dask's `{count, identifier, description, children}`, whose `children` are an object or a
/// list and whose `description` is an object or a string (`distributed/profile.py`, `create` and
/// `merge`); the founding notebook's cleaned trees, `{func, file, line, count_incl, children}`;
/// d3-flame-graph's `{name, value, children}`, `{n, v, c}` in short; pyinstrument's `{function,
/// file_path, line_no, time, children}`. One Node object serves all
/// levels: it keeps its own stack of open tree nodes.
///
/// Subtrees are read without the tokenizer as far as their bytes have come
/// (dask_tree_fast_path.cpp): nodes repeat the same few keys, and of a known function only the
/// identifier has to be read.
class DaskTree : public json::Node {
 public:
  /// `done` gets each tree when its outermost node is complete, or by `cut_off`.
  using Done = std::function<void(CallTree tree, const DaskTreeFaults& faults)>;
  DaskTree(Names& names, Done done);

  bool begin_object() override;
  json::Node* member(std::string_view key) override;
  void end() override;

  /// The file has ended. If it ended inside a tree, its complete nodes and their ancestors are
  /// handed out; an ancestor that was still open counts what its kept children count, because the
  /// rest of it is lost.
  void cut_off();

 private:
  struct Open {
    NodeId node = 0;
    std::string identifier, name, file, source;
    double line = 0, first_line = 0;
    bool is_labelled = false;  // `name` is a label, which may tell the file as well
  };

  class Description : public json::Node {
   public:
    explicit Description(DaskTree& tree) : Node("a description"), tree_(tree) {}
    bool begin_object() override { return true; }
    json::Node* member(std::string_view key) override;
    bool string(std::string_view text) override;

   private:
    DaskTree& tree_;
  };

  class Children : public json::Node {
   public:
    explicit Children(DaskTree& tree) : Node("child nodes"), tree_(tree) {}
    bool begin_object() override { return true; }
    bool begin_array() override { return true; }
    json::Node* member(std::string_view key) override;
    json::Node* element(std::size_t) override;
    bool wants_raw() const override { return true; }
    std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
      return tree_.take_children(bytes, index);
    }
    std::span<const Entered> entered() const override { return tree_.entered_; }

   private:
    DaskTree& tree_;
  };

  /// A string as it is written between its quotes.
  struct Raw {
    std::string_view text;
    bool is_plain = true;  // neither escapes nor bytes that are no ASCII
  };
  struct RawNode {
    NodeId node = 0;
    Raw identifier, name, file, source;
    double line = 0, first_line = 0;
    bool is_labelled = false;
    bool children_named = false;
    std::size_t children = 0;  // that have begun
  };
  /// How far the fast path got: after a value of the innermost container, or after its bracket.
  struct Progress {
    const char* at = nullptr;
    // the container is the children of the innermost node, not the node itself
    bool in_children = false;
    bool is_empty = false;
  };
  static constexpr FrameId unknown_frame = 0xffffffffU;
  static const char* take_string(const char* p, const char* end, Raw& into);
  static const char* take_key(const char* p, const char* end, Raw& into);

  Open& innermost() { return open_[depth_ - 1]; }
  void drop_last();
  void keep_count(NodeId node, double value) {
    if (value >= 0) tree_.count[node] = value;
    else ++faults_.bad_counts;
  }
  /// Whether the last node is what pyinstrument writes as a callee: its caller's own time.
  bool is_own_time(std::string_view name, NodeId node) const {
    return node > 0 && node + 1 == tree_.size() && name == "[self]";
  }

  /// Takes children of the innermost node from the beginning of `bytes`, as members or as
  /// elements of a list. `entered_` says where it stopped. Returns how many bytes it took
  /// and adds the children to `count`.
  std::size_t take_children(std::string_view bytes, std::size_t& count);
  bool take_subtree(const char* p, const char* end, bool named, Progress& progress);
  void enter(const Progress& progress);
  void decode(const RawNode& node, Open& into);
  static const char* take_description(const char* p, const char* end, RawNode& into);
  const char* take_member(const char* p, const char* end, RawNode& into);
  void close(const RawNode& node);

  bool is_root(const Open& open) const;
  void close(const Open& open);
  FrameId frame_of(const Open& open);
  FrameId labelled(std::string_view label);
  FrameId described(FrameId frame, const Open& open);
  void hand_out(bool has_own_root);

  Names& names_;
  Done done_;
  CallTree tree_;
  DaskTreeFaults faults_;
  std::vector<Open> open_;  // [0, depth_) are in use; the rest is kept for its strings
  std::size_t depth_ = 0;
  std::string child_key_;  // Dask's key of the child that begins next: its identifier
  StringPool identifiers_;
  std::vector<FrameId> known_;  // frame of each of `identifiers_`
  StringPool labels_;
  std::vector<FrameId> frame_of_label_;
  json::Value count_{"a count", [this](double value) { keep_count(innermost().node, value); }};
  std::vector<RawNode> fast_path_;  // the nodes that take_subtree has open
  std::vector<Entered> entered_;
  Open decoded_;
  json::TextInto text_;
  json::NumberInto line_;
  Description description_{*this};
  Children children_{*this};
};

}  // namespace crema::read
