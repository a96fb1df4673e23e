#include "cli/badge.hpp"

#include <algorithm>
#include <string_view>

#include "core/export/export.hpp"

namespace crema::cli {

namespace {

constexpr int height = 20;
constexpr int padding = 6;
/// Of a character on average, in Verdana of 11 px; the text is fitted to it.
constexpr double character = 6.6;

/// Characters, not bytes.
int badge_width(std::string_view text) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  });
  return static_cast<int>(static_cast<double>(characters) * character);
}

std::string box(int x, int width, const std::string& colour, const std::string& text) {
  const auto number = [](int value) { return std::to_string(value); };
  return "<rect x=\"" + number(x) + "\" width=\"" + number(width + 2 * padding) + "\" height=\"" +
         number(height) + "\" fill=\"" + colour + "\"/><text x=\"" + number(x + padding) +
         "\" y=\"14\" textLength=\"" + number(width) + "\">" + exports::xml_text(text) + "</text>";
}

}  // namespace

std::string badge_svg(const std::string& about, const std::string& said, Badge colour) {
  const int left = badge_width(about);
  const int right = badge_width(said);
  const std::string width = std::to_string(left + right + 4 * padding);
  const char* const of = colour == Badge::good  ? "#2f7d4f"
                         : colour == Badge::bad ? "#b5403c"
                                                : "#6b6b6b";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
         std::to_string(height) + "\" role=\"img\" aria-label=\"" +
         exports::xml_text(about + ": " + said) +
         "\"><g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">" +
         box(0, left, "#444", about) + box(left + 2 * padding, right, of, said) + "</g></svg>\n";
}

}  // namespace crema::cli
