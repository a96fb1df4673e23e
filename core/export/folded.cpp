#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"
#include "core/profile/profile.hpp"

namespace crema::exports {

namespace {

// ';' stands between frames, and a line break between stacks.
std::string frame_text(const ExportedTree& of, FrameId frame) {
  std::string label = of.label(frame);
  for (char& c : label) {
    if (c == ';') c = ':';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return label;
}

std::string folded(const ExportedTree& of) {
  const FrameFacts& facts = *of.of->facts;
  std::vector<std::string> labels(facts.size());
  std::string out;
  for_each_stack(of.tree(), facts,
                 [&](const std::vector<FrameId>& stack, double weight, bool is_unresolved, NodeId) {
                   const std::size_t begin = out.size();
                   for (const FrameId frame : stack) {
                     if (labels[frame].empty()) labels[frame] = frame_text(of, frame);
                     if (out.size() > begin) out += ';';
                     out += labels[frame];
                   }
                   if (is_unresolved) {
                     if (out.size() > begin) out += ';';
                     out += unresolved_label;
                   }
                   out += ' ' + number_text(weight) + '\n';
                 });
  return out;
}

std::vector<NodeId> postorder(const Children& children) {
  // Preorder with children from last to first, read backwards.
  std::vector<NodeId> order;
  order.reserve(children.first.size());
  std::vector<NodeId> open;
  if (children.first.size() > 1) open.push_back(0);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    order.push_back(node);
    for (std::uint32_t i = children.first[node]; i < children.first[node + 1]; ++i)
      open.push_back(children.child[i]);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// The notebook takes the line that was executing when the node was first seen, and the definition's
// only where that is unknown.
std::string label_of(const Run& run, const CallTree& tree, NodeId node, bool hide_paths) {
  if (node == 0) return "@:0";
  const FrameTable& frames = run.names->frames;
  const FrameId frame = tree.frame[node];
  const std::uint32_t seen = tree.line.empty() ? 0 : tree.line[node];
  const std::string file = exported_file(run.text(frames.file[frame]), hide_paths);
  return std::string(trimmed(run.text(frames.name[frame]))) + "@" + std::string(trimmed(file)) +
         ":" + std::to_string(seen == 0 ? frames.first_line[frame] : seen);
}

/// The founding notebook's `flamegraph_tsv` of one recorded tree: "@:0;func@file:line;...\tcount"
/// per stack with exclusive samples, most frequent first, ties in post-order of first sight; no
/// line break at the end.
std::string notebook_stacks(const Run& run, const CallTree& tree, bool hide_paths) {
  if (tree.size() == 0) return {};
  const Children children = children_of(tree.parent);

  // Two nodes may have the same labels all the way down: the notebook adds them up. A path is its
  // parent's path and a label.
  StringPool labels;
  std::vector<std::uint32_t> path_of(tree.size());
  std::vector<std::uint32_t> path_parent, path_label;
  std::map<std::uint64_t, std::uint32_t> known;
  for (NodeId i = 0; i < tree.size(); ++i) {
    const std::uint32_t above = i == 0 ? no_node : path_of[tree.parent[i]];
    const StringId label = labels.intern(label_of(run, tree, i, hide_paths));
    const auto [entry, is_new] = known.try_emplace((std::uint64_t{above} << 32U) | label,
                                                   static_cast<std::uint32_t>(path_parent.size()));
    if (is_new) {
      path_parent.push_back(above);
      path_label.push_back(label);
    }
    path_of[i] = entry->second;
  }

  struct Row {
    std::uint32_t path;
    double count;
  };
  std::vector<double> below(tree.size(), 0);
  for (std::size_t i = 1; i < tree.size(); ++i) below[tree.parent[i]] += tree.count[i];
  std::vector<Row> rows;
  std::vector<std::uint32_t> row_of(path_parent.size(), no_node);
  for (const NodeId node : postorder(children)) {
    const double exclusive = tree.count[node] - below[node];
    if (!(exclusive > 0)) continue;
    std::uint32_t& row = row_of[path_of[node]];
    if (row == no_node) {
      row = static_cast<std::uint32_t>(rows.size());
      rows.push_back({path_of[node], 0});
    }
    rows[row].count += exclusive;
  }
  sort_stably(rows, [](const Row& a, const Row& b) { return a.count > b.count; });

  std::string out;
  std::vector<std::string_view> stack;
  for (const Row& row : rows) {
    stack.clear();
    for (std::uint32_t path = row.path; path != no_node; path = path_parent[path])
      stack.push_back(labels[path_label[path]]);
    if (!out.empty()) out += '\n';
    for (std::size_t i = stack.size(); i-- > 0;) {
      out += stack[i];
      if (i > 0) out += ';';
    }
    out += '\t' + number_text(row.count);
  }
  return out;
}

std::vector<Artefact> write_notebook(const Run& run, const Profiles& profiles, const Profile* named,
                                     bool hide_paths) {
  std::vector<const CallTree*> trees =
      named == nullptr ? profiles.list.front().trees : named->trees;
  if (named == nullptr && trees.empty())
    throw Failure(ErrorCode::nothing_to_export, "none of the selected workers has a profile");
  std::vector<Artefact> files;
  for (const CallTree* tree : trees) {
    const std::string label =
        tree->worker == no_string ? tree->name : std::string(run.text(tree->worker));
    files.push_back({as_file_name(label) + ".folded", notebook_stacks(run, *tree, hide_paths)});
  }
  return files;
}

std::vector<Artefact> write_folded(const Run& run, const Selection& selection,
                                   const Options& options) {
  Selection selected = selection;
  const bool notebook = profile::leaf_choice(options) == LeafChoice::notebook;
  if (notebook) selected.time.reset();  // whole trees as they were recorded, a file each
  const Profiles profiles = profiles_of(run, selected);
  if (notebook) {
    if (options.has(profile::transform_option))
      throw Failure(ErrorCode::bad_option,
                    "leaves=notebook is the tree as recorded; it takes no transform");
    return write_notebook(run, profiles, named_profile(run, profiles, options),
                          options.flag(hide_paths_option));
  }
  const ExportedProfile one = exported_profile(run, profiles, options);
  return {{one.file_name + ".folded", folded(exported_tree(run, *one.profile, options))}};
}

}  // namespace

const Writer folded_writer{"folded", write_folded, profile_options};

}  // namespace crema::exports
