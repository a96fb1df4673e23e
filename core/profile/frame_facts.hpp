#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"
#include "core/profile/categories.hpp"

namespace crema::profile {

/// What the box of samples with an unknown leaf is called.
inline constexpr std::string_view unresolved_label = "(in callees, unresolved)";

/// What flame graphs need to know of every frame, in columns indexed by FrameId. The last entry is
/// no recorded frame: it stands for callees that nobody knows (`unresolved`), which an inverted
/// tree begins with.
struct FrameFacts {
  std::vector<std::string> name;
  std::vector<std::uint32_t> line;  ///< of the definition; 0 = unknown
  std::vector<FrameId> same_as;     ///< the first frame of the same name, normalised file and first
                                    ///< line: one function on many hosts
  std::vector<std::string> file;    ///< `normalised_path`
  std::vector<Category> category;
  /// place in the order by name, file, first line, id: the tie-break of every sort
  std::vector<std::uint32_t> rank;
  bool recorded = true;  ///< false where frames stand for groups of them (`grouped`): names are
                         ///< those of the groups

  std::size_t size() const { return name.size(); }
  FrameId unresolved() const { return static_cast<FrameId>(size() - 1); }
};

FrameFacts frame_facts(const Names& names);

/// What frames can be grouped by.
enum class Grouping : std::uint8_t {
  package,   ///< the package or the part of the standard library; files of the analysis each for
             ///< itself
  file,      ///< normalised file
  function,  ///< name and file, whatever the line: for sources that tell lines apart
  category,
  library,  ///< the frames of each library, whose file is "LIBRARY/"; your own and those of no
            ///< file stay as they are
};

/// Facts in which all frames of a group are `same_as` its first one and have the group's name.
/// By library, those in `open`, separated by commas, stay as they are.
FrameFacts grouped(const FrameFacts& facts, Grouping by, std::string_view open = {});

}  // namespace crema::profile
