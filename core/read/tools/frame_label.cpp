#include "core/read/tools/stack_profile.hpp"

#include <charconv>

namespace crema::read {

namespace {

/// All of a text as a number.
std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

struct Place {
  std::string_view file;
  std::optional<std::uint32_t> line;
};

Place parse_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const auto line =
      colon == std::string_view::npos ? std::nullopt : whole_number(text.substr(colon + 1));
  return {line ? text.substr(0, colon) : text, line};
}

// "f (in callees, unresolved)" and "operator() (int)" name no file.
bool looks_like_file(std::string_view text) {
  return text.find_first_of("/\\.<") != std::string_view::npos;
}

}  // namespace

FrameLabel parse_frame_label(std::string_view label) {
  // A function's name holds neither '@' nor " (", a file's may hold both.
  if (const std::size_t at = label.find('@'); at != std::string_view::npos) {
    if (const Place place = parse_place(label.substr(at + 1)); place.line)
      return {label.substr(0, at), place.file, *place.line, true};
  }
  const std::size_t open = label.find(" (");
  if (open != std::string_view::npos && open > 0 && label.back() == ')') {
    const Place place = parse_place(label.substr(open + 2, label.size() - open - 3));
    if (place.line || looks_like_file(place.file))
      return {label.substr(0, open), place.file, place.line.value_or(0)};
  }
  return {label, {}};
}

std::optional<FrameLabel> parse_dask_identifier(std::string_view text) {
  // File names may contain ';' and ':', names and numbers do not: split from both ends.
  const std::size_t first = text.find(';');
  const std::size_t last = text.rfind(';');
  if (first != std::string_view::npos) {
    if (first == last) return std::nullopt;
    const std::string_view tail = text.substr(last + 1);
    const auto line = tail.starts_with("0x") ? std::optional(0U) : whole_number(tail);
    if (!line) return std::nullopt;
    return FrameLabel{.name = text.substr(0, first),
                      .file = text.substr(first + 1, last - first - 1),
                      .line = *line,
                      .has_file = true};
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    if (const auto line = whole_number(text.substr(colon + 1)))
      return FrameLabel{.name = text.substr(0, colon), .file = {}, .line = *line};
  }
  if (text == "None") return FrameLabel{.name = text, .file = {}};
  return std::nullopt;
}

}  // namespace crema::read
