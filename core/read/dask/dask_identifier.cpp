#include "core/read/dask/dask_identifier.hpp"

#include <charconv>

namespace crema::read {

namespace {

std::optional<std::uint32_t> line_number(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<DaskIdentifier> parse_dask_identifier(std::string_view text) {
  // File names may contain ';' and ':', names and numbers do not: split from both ends.
  const std::size_t first = text.find(';');
  const std::size_t last = text.rfind(';');
  if (first != std::string_view::npos) {
    if (first == last) return std::nullopt;
    const std::string_view tail = text.substr(last + 1);
    const auto line =
        tail.substr(0, 2) == "0x" ? std::optional<std::uint32_t>{0} : line_number(tail);
    if (!line) return std::nullopt;
    return DaskIdentifier{.name = text.substr(0, first),
                          .file = text.substr(first + 1, last - first - 1),
                          .first_line = *line,
                          .has_file = true};
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    if (const auto line = line_number(text.substr(colon + 1)))
      return DaskIdentifier{.name = text.substr(0, colon), .file = {}, .first_line = *line};
  }
  if (text == "None") return DaskIdentifier{.name = text, .file = {}};
  return std::nullopt;
}

}  // namespace crema::read
