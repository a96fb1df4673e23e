#include "core/export/folded.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/export/export_profiles.hpp"
#include "core/export/notebook_stacks.hpp"
#include "core/profile/flame_tree.hpp"

namespace crema::exports {

namespace {

// ';' stands between frames, and a line break between stacks.
std::string frame_text(const ExportedTree& of, FrameId frame) {
  std::string label(of.name(frame));
  if (const std::string file = of.file(frame); !file.empty()) {
    label += " (" + file;
    if (of.line(frame) > 0) label += ":" + std::to_string(of.line(frame));
    label += ")";
  }
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
