#include "core/read/dask/dask_tree.hpp"

#include <cmath>

#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

// Makes the top node a child of a root of its own: the recorded tree is a part of a profile.
void put_root_above(CallTree& tree, FrameId root) {
  for (NodeId& parent : tree.parent) parent = parent == no_node ? 0 : parent + 1;
  tree.parent.insert(tree.parent.begin(), no_node);
  tree.frame.insert(tree.frame.begin(), root);
  tree.count.insert(tree.count.begin(), tree.count.front());
  tree.line.insert(tree.line.begin(), 0);
}

}  // namespace

DaskTree::DaskTree(Names& names, Done done)
    : Node("a node of a profile"), names_(names), done_(std::move(done)) {}

json::Node* DaskTree::Description::member(std::string_view key) {
  Open& open = tree_.innermost();
  if (key == "name") return &tree_.text_.at(&open.name);
  if (key == "filename") return &tree_.text_.at(&open.file);
  if (key == "line") return &tree_.text_.at(&open.source);
  if (key == "line_number") return &tree_.line_.at(&open.line);
  return nullptr;
}

bool DaskTree::Description::string(std::string_view text) {
  tree_.innermost().name.assign(text);
  return true;
}

json::Node* DaskTree::Children::member(std::string_view key) {
  tree_.child_key_.assign(key);
  return &tree_;
}

json::Node* DaskTree::Children::element(std::size_t) {
  tree_.child_key_.clear();
  return &tree_;
}

bool DaskTree::begin_object() {
  if (depth_ == 0) {
    tree_ = CallTree{};
    faults_ = {};
    child_key_.clear();
  }
  const NodeId parent = depth_ == 0 ? no_node : innermost().node;
  if (depth_ == open_.size()) open_.emplace_back();
  Open& open = open_[depth_++];
  open.node = tree_.add(parent, unknown_frame, absent, 0);
  open.identifier = child_key_;
  open.name.clear();
  open.file.clear();
  open.source.clear();
  open.line = open.first_line = 0;
  open.is_labelled = false;
  return true;
}

json::Node* DaskTree::member(std::string_view key) {
  if (key == "children") return &children_;
  if (key == "count") return &count_;
  if (key == "description") return &description_;
  if (key == "identifier") return &text_.at(&innermost().identifier);
  // The founding notebook's cleaned trees.
  if (key == "count_incl") return &count_;
  if (key == "func") return &text_.at(&innermost().name);
  if (key == "file") return &text_.at(&innermost().file);
  if (key == "line") return &line_.at(&innermost().line);
  // d3-flame-graph's (its `getName`, `getValue` and `getChildren`).
  if (key == "name" || key == "n") {
    innermost().is_labelled = true;
    return &text_.at(&innermost().name);
  }
  if (key == "value" || key == "v") return &count_;
  if (key == "c") return &children_;
  // pyinstrument's.
  if (key == "function") return &text_.at(&innermost().name);
  if (key == "file_path") return &text_.at(&innermost().file);
  if (key == "line_no") return &line_.at(&innermost().first_line);
  if (key == "time") {
    tree_.unit = "s";
    return &count_;
  }
  return nullptr;
}

// Whether the outermost node is no function but the whole.
bool DaskTree::is_root(const Open& open) const {
  if (tree_.unit == "s") return false;
  if (!open.is_labelled || !open.identifier.empty())
    return open.identifier.empty() || open.identifier == "root";
  return open.name.empty() || open.name == "root" || open.name == "all";
}

void DaskTree::end() {
  const Open& open = innermost();
  if (is_own_time(open.name, open.node)) {
    drop_last();
    --depth_;
    return;
  }
  close(open);
  if (is_absent(tree_.count[open.node])) ++faults_.missing_counts;
  if (--depth_ == 0) hand_out(is_root(open));
}

void DaskTree::cut_off() {
  if (depth_ == 0) return;
  const bool has_own_root = is_root(open_[0]);
  for (; depth_ > 0; --depth_) {
    const Open& open = innermost();
    if (open.node + 1 == tree_.size()) {
      drop_last();
    } else {
      close(open);
      tree_.count[open.node] = absent;
    }
  }
  hand_out(has_own_root);
}

void DaskTree::drop_last() {
  tree_.parent.pop_back();
  tree_.frame.pop_back();
  tree_.count.pop_back();
  tree_.line.pop_back();
}

void DaskTree::close(const Open& open) {
  tree_.frame[open.node] = frame_of(open);
  tree_.line[open.node] = as_line(open.line);
}

FrameId DaskTree::labelled(std::string_view text) {
  const StringId id = labels_.intern(text);
  if (id == frame_of_label_.size()) {
    const FrameLabel label = parse_frame_label(text);
    frame_of_label_.push_back(frame_in(names_, label.name, label.file, label.line));
  }
  return frame_of_label_[id];
}

FrameId DaskTree::frame_of(const Open& open) {
  if (open.is_labelled && open.identifier.empty()) return labelled(open.name);
  const auto parsed = parse_dask_identifier(open.identifier);
  if (!parsed || !parsed->has_file) {
    const std::string_view name = parsed               ? parsed->name
                                  : !open.name.empty() ? std::string_view(open.name)
                                                       : std::string_view(open.identifier);
    const std::uint32_t line = parsed ? parsed->line : as_line(open.first_line);
    return described(frame_in(names_, name, open.file, line), open);
  }
  const StringId id = identifiers_.intern(open.identifier);
  if (id == known_.size()) {
    known_.push_back(frame_in(names_, parsed->name, parsed->file, parsed->line));
    described(known_.back(), open);
  }
  return known_[id];
}

FrameId DaskTree::described(FrameId frame, const Open& open) {
  FrameTable& frames = names_.frames;
  if (frames.line_seen[frame] == 0) {
    frames.line_seen[frame] = as_line(open.line);
    const std::string_view source = without_line_break(open.source);
    if (!source.empty()) frames.source_line[frame] = names_.strings.intern(source);
  }
  return frame;
}

void DaskTree::hand_out(bool has_own_root) {
  std::vector<double> below(tree_.size(), 0.0);
  for (std::size_t i = tree_.size(); i-- > 0;) {
    double& count = tree_.count[i];
    if (is_absent(count)) count = below[i];
    // Times are written with microseconds.
    const double rounding = tree_.unit == "s" ? 1e-5 : 0;
    if (count < below[i] - rounding && !(i == 0 && count == 0)) ++faults_.too_small;
    if (i > 0) below[tree_.parent[i]] += count;
  }
  if (tree_.size() > 0) {
    const FrameId root = frame_in(names_, "root");
    if (has_own_root) {
      tree_.frame[0] = root;
    } else {
      put_root_above(tree_, root);
    }
  }
  done_(std::move(tree_), faults_);
  tree_ = CallTree{};
}

}  // namespace crema::read
