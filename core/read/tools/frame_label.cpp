#include "core/read/tools/frame_label.hpp"

#include <charconv>

namespace crema::read {

namespace {

struct Place {
  std::string_view file;
  std::uint32_t line = 0;
  bool has_line = false;
};

Place parse_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text};
  std::uint32_t line = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, line);
  if (error != std::errc{} || stop != end) return {text};
  return {text.substr(0, colon), line, true};
}

// "f (in callees, unresolved)" and "operator() (int)" name no file.
bool looks_like_file(std::string_view text) {
  return text.find_first_of("/\\.<") != std::string_view::npos;
}

}  // namespace

FrameLabel parse_frame_label(std::string_view label) {
  // A function's name holds neither '@' nor " (", a file's may hold both.
  if (const std::size_t at = label.find('@'); at != std::string_view::npos) {
    if (const Place place = parse_place(label.substr(at + 1)); place.has_line)
      return {label.substr(0, at), place.file, place.line, true};
  }
  const std::size_t open = label.find(" (");
  if (open != std::string_view::npos && open > 0 && label.back() == ')') {
    const Place place = parse_place(label.substr(open + 2, label.size() - open - 3));
    if (place.has_line || looks_like_file(place.file))
      return {label.substr(0, open), place.file, place.line};
  }
  return {label, {}};
}

}  // namespace crema::read
