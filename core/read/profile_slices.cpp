// What was sampled when, as `crema.record` keeps it (docs/record.md): `{format:
// "crema_profile_slices_v1", frames: [[identifier, line], …], slices: [{start, stop, worker, key,
// nodes: [depth, frame, samples, …]}, …]}`.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/json/nodes.hpp"
#include "core/read/dask_identifier.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/profile_trees.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

namespace {

/// An element of `frames`.
class FrameNode : public json::Node {
 public:
  struct Frame {
    std::string identifier;
    double line = 0;
  };
  explicit FrameNode(std::vector<Frame>& frames) : frames_(frames) {}
  bool begin_array() override {
    frames_.emplace_back();
    return true;
  }
  json::Node* element(std::size_t index) override {
    if (index == 0) return &text_.at(&frames_.back().identifier);
    return index == 1 ? &number_.at(&frames_.back().line) : nullptr;
  }
  std::string_view expects() const override { return "[identifier, line] of a function"; }

 private:
  std::vector<Frame>& frames_;
  json::TextInto text_;
  json::NumberInto number_;
};

/// The nodes of a tree in preorder. Their frames are numbers of `frames`, which may come later.
class TreeNodes : public json::Node {
 public:
  CallTree tree;
  bool sound = true;  ///< as far as can be told here

  void clear() {
    tree = CallTree{};
    path_.clear();
    sound = true;
  }
  bool begin_array() override {
    at_ = 0;
    return true;
  }
  json::Node* element(std::size_t) override { return this; }
  bool number(double value) override {
    one_[at_++] = value;
    if (at_ == one_.size()) add();
    return true;
  }
  void null() override { sound = false; }
  void end() override { sound = sound && at_ == 0; }
  std::string_view expects() const override { return "numbers: depth, frame, samples"; }

 private:
  void add() {
    at_ = 0;
    const auto [depth, frame, count] = one_;
    // The root, and it alone, is at depth 0; a child is one deeper than what stands before it.
    const double deepest = static_cast<double>(path_.size());
    sound = sound && depth == std::floor(depth) && depth <= deepest &&
            (depth == 0) == path_.empty() && depth >= 0 && frame >= 0 && frame < 4e9 &&
            frame == std::floor(frame) && count >= 0;
    if (!sound) return;
    path_.resize(static_cast<std::size_t>(depth));
    tree.parent.push_back(path_.empty() ? no_node : path_.back());
    path_.push_back(static_cast<NodeId>(tree.frame.size()));
    tree.frame.push_back(static_cast<FrameId>(frame));
    tree.count.push_back(count);
  }

  std::array<double, 3> one_{};
  std::size_t at_ = 0;
  std::vector<NodeId> path_;
};

class SliceNode : public json::Node {
 public:
  explicit SliceNode(Run& run) : run_(run) {}
  std::size_t unsound = 0;

  bool begin_object() override {
    nodes_.clear();
    worker_.clear();
    key_.clear();
    nodes_.tree.begin = nodes_.tree.end = absent;
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "start") return &number_.at(&nodes_.tree.begin);
    if (key == "stop") return &number_.at(&nodes_.tree.end);
    if (key == "worker") return &text_.at(&worker_);
    if (key == "key") return &text_.at(&key_);
    return key == "nodes" ? &nodes_ : nullptr;
  }
  void end() override {
    CallTree& tree = nodes_.tree;
    if (!nodes_.sound || tree.size() == 0 || !(tree.end > tree.begin)) {
      ++unsound;
      return;
    }
    StringPool& strings = run_.names->strings;
    tree.kind = CallTree::Kind::merged;
    if (!key_.empty()) {
      tree.kind = CallTree::Kind::key;
      tree.key = strings.intern(key_);
    }
    if (!worker_.empty()) {
      tree.kind = CallTree::Kind::worker;
      tree.worker = strings.intern(worker_);
    }
    run_.profile_slices.push_back(std::move(tree));
  }
  std::string_view expects() const override { return "a slice of a profile"; }

 private:
  Run& run_;
  TreeNodes nodes_;
  std::string worker_, key_;
  json::TextInto text_;
  json::NumberInto number_;
};

template <class Element>
struct List : json::Node {
  template <class Into>
  explicit List(Into& into) : each(into) {}
  bool begin_array() override { return true; }
  json::Node* element(std::size_t) override { return &each; }
  std::string_view expects() const override { return "a list"; }
  Element each;
};

class SlicesRoot : public json::Node {
 public:
  explicit SlicesRoot(Run& run) : frames_(frames), slices(run) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "frames") return &frames_;
    return key == "slices" ? &slices : nullptr;
  }
  std::string_view expects() const override { return "slices of profiles"; }

  std::vector<FrameNode::Frame> frames;

 private:
  List<FrameNode> frames_;

 public:
  List<SliceNode> slices;
};

class SlicesReader : public JsonReader {
 public:
  SlicesReader(Run& run, const std::string& path)
      : JsonReader(run, path, std::make_unique<SlicesRoot>(run)) {}

  void finished() override {
    auto& root = static_cast<SlicesRoot&>(this->root());
    Names& names = *run().names;
    std::vector<FrameId> ids;
    for (const FrameNode::Frame& frame : root.frames) {
      const auto parsed = parse_dask_identifier(frame.identifier);
      ids.push_back(names.frames.intern(
          names.strings.intern(parsed ? parsed->name : std::string_view(frame.identifier)),
          names.strings.intern(parsed ? parsed->file : std::string_view()),
          parsed ? parsed->first_line : 0));
    }
    std::size_t unsound = root.slices.each.unsound;
    unsound += std::erase_if(run().profile_slices, [&](CallTree& tree) {
      const bool known = std::all_of(tree.frame.begin(), tree.frame.end(),
                                     [&](FrameId frame) { return frame < ids.size(); });
      if (!known) return true;
      for (FrameId& frame : tree.frame) {
        tree.line.push_back(DaskTree::as_line(root.frames[frame].line));
        frame = ids[frame];
      }
      tree.leaves = leaves_of(tree, names);
      tree.source = path();
      return false;
    });
    if (unsound == 0) return;
    run().add_note("profile-slice", Severity::medium,
                   std::to_string(unsound) +
                       " slices of the profile are no call trees of a stretch of time; they were "
                       "left out",
                   path(), "slices");
  }
};

bool recognises_slices(const Head& head) {
  const auto& s = head.sample();
  return s.is_object() && s.contains("format") && s["format"] == "crema_profile_slices_v1";
}

std::unique_ptr<Reader> open_slices(Run& run, const std::string& path) {
  return std::make_unique<SlicesReader>(run, path);
}

}  // namespace

const Format profile_slices_format = {
    "profile_slices", "profiles in slices of time", true, false, recognises_slices, open_slices};

}  // namespace crema::read
