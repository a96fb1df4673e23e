#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.hpp"

namespace crema::profile {

/// Whose code a frame is (docs/meanings.md, Frames).
enum class Category : std::uint8_t {
  analysis,
  coffea,
  awkward,
  uproot,
  numeric,
  hist,
  io,
  dask,
  stdlib,
  native,
  other
};
inline constexpr std::array<std::string_view, 11> category_names = {
    "your analysis", "coffea", "awkward",          "uproot", "numeric", "hist",
    "I/O",           "dask",   "standard library", "native", "other"};
inline std::string_view name_of(Category category) {
  return category_names[static_cast<std::size_t>(category)];
}
/// Whether it is of coffea or Dask, which prepare and run what the analysis asks for.
inline constexpr bool runs_the_analysis(Category category) {
  return category == Category::coffea || category == Category::dask;
}

/// The category by the frame's file: the package under site-packages, or of a source checkout
/// (`src/PACKAGE/`); the standard library; native code (`<built-in>`, `<low-level>`). A file that
/// is none of these is the user's own: "your analysis".
Category category_of(std::string_view file);

/// The part of a frame's file that is the same on every host: what follows `site-packages/`,
/// `lib/pythonX.Y/…`, what follows a Dask worker's scratch folder (code sent with `upload_file`).
/// Other paths stay as they are, with '/' between folders.
std::string normalised_path(std::string_view file);

/// The package of a normalised file: its first folder ("coffea"), of the standard library the
/// module ("json"); a file of the user's own is its own package.
std::string package_of(std::string_view normalised);

/// A path that names no person and no host: `normalised_path`, and of the user's own files only the
/// last part.
std::string private_path(std::string_view file);

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
  /// Whether it is of what Python imports modules with.
  bool imports(FrameId frame) const { return file[frame].starts_with("<frozen importlib."); }
  /// Whether it is Dask's callback of Python's garbage collector: samples of a collection, which no
  /// frame shows, come when it begins and ends.
  bool collects(FrameId frame) const {
    return name[frame] == "_gc_callback" && category[frame] == Category::dask;
  }
};

FrameFacts frame_facts(const Names& names);

/// "merge (analysis.py:12)": the function with the file and line of its definition, as far as they
/// are known; of a library's file the path within it.
std::string place_of(const FrameFacts& facts, FrameId frame);

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

/// Which frames a pattern names, by FrameId.
///
///     TEXT                        the text occurs in the name or the file, whatever the case of
///     ASCII letters /EXPRESSION/                the expression (core/profile/transform.hpp)
///     matches in the name or the file name=…  file=…  category=…  package=…   the same in that
///     alone function=NAME@FILE:LINE     exactly this function (file as on the page; `@FILE`,
///     `:LINE` only where known)
///
/// An empty pattern names none. Failure bad_option for an expression that is none.
std::vector<bool> frames_matching(const FrameFacts& facts, std::string_view pattern);

}  // namespace crema::profile
