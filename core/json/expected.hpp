#pragma once

#include <bit>
#include <string_view>

#include "core/json/simd.hpp"

namespace crema::json {

inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// The end of the white space at `p`. Its length is unpredictable: a branch per byte would be
/// mispredicted once per call.
inline const char* skip_blank(const char* p, const char* end) {
  using simd::Sixteen;
  while (static_cast<std::size_t>(end - p) >= Sixteen::width) {
    const Sixteen v = Sixteen::load(p);
    const std::uint64_t blank =
        (v.equals(' ') | v.equals('\n') | v.equals('\t') | v.equals('\r')).marks();
    const auto length = static_cast<std::size_t>(std::countr_one(blank));
    p += length;
    if (length < Sixteen::width) return p;
  }
  while (p != end && is_blank(*p)) ++p;
  return p;
}

/// The end of the plain characters at `p` in a string: at a quote, an escape, a control character
/// or a byte that is not ASCII.
inline const char* skip_plain(const char* p, const char* end) {
  using simd::Sixteen;
  for (; static_cast<std::size_t>(end - p) >= Sixteen::width; p += Sixteen::width) {
    const Sixteen v = Sixteen::load(p);
    const std::uint64_t stops = (v.equals('"') | v.equals('\\') | v.control() | v.high()).marks();
    if (stops != 0) return p + std::countr_zero(stops);
  }
  while (p != end && *p != '"' && *p != '\\' && *p >= ' ' && *p <= '~') ++p;
  return p;
}

/// Whether the bytes from `p` on begin with `text`.
inline bool begins_with(const char* p, const char* end, std::string_view text) {
  return static_cast<std::size_t>(end - p) >= text.size() &&
         simd::same_bytes(p, text.data(), text.size());
}

}  // namespace crema::json
