#include "core/base/visible.hpp"

#include <cstdint>

namespace crema {

namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8 begins here
};

Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3fU);
  }
  // Longer than needed, a half of a pair, or beyond the last: none of them is a letter.
  const bool overlong = code < (bytes == 4 ? 0x10000U : bytes == 3 ? 0x800U : 0x80U);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, bytes};
}

bool is_obeyed(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(std::string& out, std::uint32_t code, std::size_t digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += digits == 2 ? "\\x" : "\\u";
  for (std::size_t i = digits; i-- > 0;) out += hex[code >> (4 * i) & 15U];
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.bytes == 0) append_escape(out, static_cast<unsigned char>(text.front()), 2);
    else if (!is_obeyed(letter.code)) out += text.substr(0, letter.bytes);
    else if (letter.code == '\n') out += "\\n";
    else if (letter.code == '\r') out += "\\r";
    else if (letter.code == '\t') out += "\\t";
    else append_escape(out, letter.code, letter.code < 0x80 ? 2 : 4);
    text.remove_prefix(letter.bytes == 0 ? 1 : letter.bytes);
  }
  return out;
}

}  // namespace crema
