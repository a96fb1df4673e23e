// Compiled for speed: it runs for every value of JSON.
#include "core/json/number.hpp"

#include <algorithm>
#include <charconv>

#include <fast_float/fast_float.h>

#include "core/base/text.hpp"

namespace crema::json {

namespace {

std::optional<std::uint32_t> hex4(std::string_view text, std::size_t at) {
  return parse_hex(text.substr(std::min(at, text.size()), 4), 4);
}

constexpr bool is_high(std::uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
constexpr bool is_low(std::uint32_t code) { return code >= 0xDC00 && code < 0xE000; }
constexpr std::uint32_t replacement = 0xFFFD;

}  // namespace

double nearest_double(std::uint64_t digits, std::int64_t exponent, bool negative, const char* begin,
                      const char* end) {
  // What from_chars does behind its own reading of the digits (Eisel-Lemire); a negative power
  // means "too close to tell".
  const auto found = fast_float::compute_float<fast_float::binary_format<double>>(exponent, digits);
  if (found.power2 < 0) return nearest_double(begin, end);
  double value = 0;
  fast_float::to_float(negative, found, value);
  return value;
}

double nearest_double(const char* begin, const char* end) {
  double value = 0;
  fast_float::from_chars(begin, end, value);
  return value;
}

std::optional<std::uint32_t> parse_hex(std::string_view text, std::size_t digits) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const bool is_number =
      text.size() == digits && std::from_chars(text.data(), end, value, 16).ptr == end;
  return is_number ? std::optional(value) : std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (is_high(code) || is_low(code) || code > 0x10FFFF) code = replacement;
  constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
  unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes
  out += static_cast<char>(leads[more] | (code >> (6 * more)));
  while (more-- > 0) out += static_cast<char>(0x80 | ((code >> (6 * more)) & 0x3F));
}

std::optional<std::size_t> unescape(std::string_view raw, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      const std::size_t stop = std::min(raw.find('\\', i), raw.size());
      out.append(raw.substr(i, stop - i));
      i = stop - 1;
      continue;
    }
    const std::size_t begin = i++;
    if (i == raw.size()) return begin;
    switch (raw[i]) {
      case '"': out += '"'; break;
      case '\\': out += '\\'; break;
      case '/': out += '/'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'u': {
        const auto first = hex4(raw, i + 1);
        if (!first) return begin;
        i += 4;
        std::uint32_t code = *first;
        if (is_high(code) && raw.substr(i + 1, 2) == "\\u") {
          const auto second = hex4(raw, i + 3);
          if (!second) return i + 1;
          if (is_low(*second)) {
            code = 0x10000 + ((code - 0xD800) << 10U) + (*second - 0xDC00);
            i += 6;
          }
        }
        append_utf8(out, code);
        break;
      }
      default: return begin;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = (text[i] & 0x80) == 0 ? 1 : first_letter(text.substr(i)).bytes;
    if (bytes == 0) return i;
    i += bytes;
  }
  return std::nullopt;
}

}  // namespace crema::json
