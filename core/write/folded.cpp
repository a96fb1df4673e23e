#include "core/write/folded.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/analyse/call_trees.hpp"
#include "core/write/export_profiles.hpp"
#include "core/write/notebook_stacks.hpp"
#include "core/write/table_text.hpp"

namespace crema {

namespace {

// ';' stands between frames, and a line break between stacks.
std::string label_of(const Run& run, FrameId frame, bool hide_paths) {
  const FrameTable& frames = run.names->frames;
  std::string label(run.text(frames.name[frame]));
  if (const std::string file = exported_file(run.text(frames.file[frame]), hide_paths); !file.empty()) {
    label += " (" + file;
    if (frames.first_line[frame] > 0) label += ":" + std::to_string(frames.first_line[frame]);
    label += ")";
  }
  for (char& c : label) {
    if (c == ';') c = ':';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return label;
}

std::string folded(const Run& run, const ResolvedTree& tree, const FrameFacts& facts, bool hide_paths) {
  std::vector<std::string> labels(run.names->frames.size());
  std::string out;
  for_each_stack(tree, facts, [&](const std::vector<FrameId>& stack, double weight, bool is_unresolved) {
    const std::size_t begin = out.size();
    for (const FrameId frame : stack) {
      if (labels[frame].empty()) labels[frame] = label_of(run, frame, hide_paths);
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

std::vector<Artefact> write_notebook(const Run& run, const Profiles& profiles, const Profile* named, bool hide_paths) {
  std::vector<const CallTree*> trees = named == nullptr ? profiles.list.front().trees : named->trees;
  if (named == nullptr && trees.empty())
    throw Failure(ErrorCode::nothing_to_export, "none of the selected workers has a profile");
  std::vector<Artefact> files;
  for (const CallTree* tree : trees) {
    const std::string label = tree->worker == no_string ? tree->name : std::string(run.text(tree->worker));
    files.push_back({as_file_name(label) + ".folded", notebook_stacks(run, *tree, hide_paths)});
  }
  return files;
}

std::vector<Artefact> write_folded(const Run& run, const Selection& selection, const Options& options) {
  const Profiles profiles = profiles_of(run, selection);
  const Profile* const named = named_profile(run, profiles, options);
  const bool hide_paths = options.flag("hide-paths");
  if (options.text("leaves") == "notebook") return write_notebook(run, profiles, named, hide_paths);

  const LeafChoice choice = leaf_choice(options);
  const Profile& profile = named == nullptr ? profiles.list.front() : *named;
  const FrameFacts facts = frame_facts(*run.names);
  const std::string title = run.title.empty() ? "run" : run.title;
  const std::string name = named == nullptr ? title : title + " " + title_of(profile);
  return {{as_file_name(name) + ".folded", folded(run, merged_tree(profile, choice, facts), facts, hide_paths)}};
}

}  // namespace

const Writer folded_writer{"folded", write_folded, {"profile", "worker", "key", "leaves", "hide-paths"}};

}  // namespace crema
