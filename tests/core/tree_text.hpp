#pragma once

#include <string>

#include "core/profile/profile.hpp"
#include "tests/core/drawn_tree.hpp"

namespace crema::test {

using namespace profile;

/// A frame as "name[@file[:first line]]".
inline std::string frame_text(const Names& names, FrameId frame) {
  std::string text(names.strings[names.frames.name[frame]]);
  if (const auto file = names.strings[names.frames.file[frame]]; !file.empty())
    text += "@" + std::string(file);
  if (names.frames.first_line[frame] > 0)
    text += ":" + std::to_string(names.frames.first_line[frame]);
  return text;
}

/// A call tree whose leaves are counted as text, in order of NodeId: "frame total", then " self=n"
/// where it is not 0.
inline std::string tree_text(const CallTree& tree, const Names& names) {
  const ResolvedTree resolved = resolve(tree);
  std::vector<std::size_t> depth(tree.size(), 0);
  std::string out;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (i > 0) depth[i] = depth[tree.parent[i]] + 1;
    out += std::string(2 * depth[i], ' ') + frame_text(names, tree.frame[i]) + " " +
           plain(resolved.total[i]);
    if (resolved.self[i] > 0) out += " self=" + plain(resolved.self[i]);
    if (resolved.unresolved(i) > 0) out += " open=" + plain(resolved.unresolved(i));
    out += "\n";
  }
  return out;
}

}  // namespace crema::test
