#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace crema::profile
