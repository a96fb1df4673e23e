#include "cli/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/base/text.hpp"

namespace crema::cli {

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  bool is_colour = false;  // what a terminal does not show, from an escape to its "m"
  for (const char c : text) {
    is_colour = is_colour || c == '\x1b';
    if (!is_colour && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++width;
    if (c == 'm') is_colour = false;
  }
  return width;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t own = width_of(text);
  const std::string space(width > own ? width - own : 0, ' ');
  return right ? space + text : text + space;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  if (const std::size_t end = text.find('\n'); end != text.npos)
    return wrapped(text.substr(0, end), width, indent) +
           wrapped(text.substr(end + 1), width, indent);
  std::string out;
  std::string line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find(' ', begin), text.size());
    if (text.compare(end, 2, " %") == 0) end = std::min(text.find(' ', end + 1), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && width_of(indent) + width_of(line) + 1 + width_of(word) > width) {
      out += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return out + indent + line + "\n";
}

std::string shortened(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  const bool is_path = text.find('/') != std::string::npos && text.find(' ') == std::string::npos;
  const auto begins_at = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
  };
  std::size_t at = is_path ? text.size() : 0;
  for (std::size_t taken = 0; taken + 1 < width;) {
    if (is_path) taken += begins_at(--at) ? 1 : 0;
    else if (begins_at(++at)) ++taken;
  }
  return is_path ? "…" + text.substr(at) : text.substr(0, at) + "…";
}

std::vector<std::string> pieces_of(const std::string& text, std::string_view ends) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(ends, begin), text.size() - 1) + 1;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width,
                                  std::string_view breaks) {
  if (width_of(text) <= width) return {text};
  std::vector<std::string> lines;
  for (const std::string& piece : pieces_of(text, breaks)) {
    // a blank at the end of a line takes no room
    const bool fits =
        !lines.empty() && width_of(std::string(trimmed(lines.back() + piece))) <= width;
    if (fits) lines.back() += piece;
    else lines.push_back(piece);
  }
  for (std::string& line : lines) line = shortened(std::string(trimmed(line)), width);
  return lines;
}

std::string bar(double fraction, std::size_t width) {
  const auto filled = static_cast<std::size_t>(
      std::lround(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < filled ? "█" : "·";
  return text;
}

std::size_t help_width() { return std::clamp(terminal_width(), std::size_t{40}, std::size_t{100}); }

Style style_of_terminal() {
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  const char* const no_colour = std::getenv("NO_COLOR");
  const bool is_unwanted = no_colour != nullptr && *no_colour != '\0';
  return {is_on_terminal() && !is_dumb && !is_unwanted};
}

}  // namespace crema::cli
