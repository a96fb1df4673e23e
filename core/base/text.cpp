#include "core/base/text.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/numbers.hpp"

namespace crema {

std::string json_text(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  if (is_plain) return '"' + std::string(text) + '"';
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "";
  // Integers up to 2^53 are exact in a double and are written as such.
  if (value == std::floor(value) && std::fabs(value) < 9007199254740992.0)
    return std::to_string(static_cast<long long>(value));
  // What dump() writes, without the document around it that has to be allocated.
  std::array<char, 64> text{};
  return {text.data(), nlohmann::detail::to_chars(text.data(), text.data() + text.size(), value)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (const std::string_view piece = trimmed(text.substr(at, end - at)); !piece.empty())
      pieces.push_back(piece);
    at = end + 1;
  }
  return pieces;
}

double parse_number(std::string_view text) {
  double value = absent;
  const char* const end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end ? value : absent;
}

}  // namespace crema
