#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/json/simd.hpp"

namespace crema::json {

/// The classes of a block's 64 bytes as bit masks; the lowest bit is the first byte.
struct Block {
  static constexpr std::size_t size = 64;

  std::uint64_t quote;       ///< "
  std::uint64_t structural;  ///< [ ] { } : ,
  std::uint64_t blank;       ///< space, tab, line feed, carriage return
  // Rare classes, computed only for blocks that have any.
  std::uint64_t backslash = 0;
  std::uint64_t control = 0;  ///< below 0x20 and not blank
  std::uint64_t high = 0;     ///< not ASCII
  std::uint64_t line = 0;     ///< blank and below 0x20, which no string may hold
};

template <class Vector>
inline Block classify(const char* bytes) {
  Block block{0, 0, 0};
  Vector rare = Vector::load(bytes).high();
#pragma GCC unroll 8
  for (std::size_t at = 0; at < Block::size; at += Vector::width) {
    const Vector v = Vector::load(bytes + at);
    const Vector lower = v.lower();
    block.quote |= v.equals('"').marks() << at;
    block.structural |=
        (lower.equals('{') | lower.equals('}') | v.equals(':') | v.equals(',')).marks() << at;
    const Vector line = v.equals('\n') | v.equals('\t') | v.equals('\r');
    block.blank |= (v.equals(' ') | line).marks() << at;
    rare = rare | v.high() | v.equals('\\') | (v.control() ^ line);
    block.line |= line.marks() << at;
  }
  if (rare.any()) {
#pragma GCC unroll 8
    for (std::size_t at = 0; at < Block::size; at += Vector::width) {
      const Vector v = Vector::load(bytes + at);
      block.backslash |= v.equals('\\').marks() << at;
      block.control |= v.control().marks() << at;
      block.high |= v.high().marks() << at;
    }
    block.control &= ~block.line;
  }
  return block;
}

/// The bytes that an unescaped backslash escapes. `carry` says on entry whether the block's first
/// byte is escaped, on return whether the byte after the block is. Runs of backslashes that begin
/// at odd and at even places are handled apart: adding a run to itself carries into the byte after
/// it (simdjson's method).
inline std::uint64_t escaped_bytes(std::uint64_t backslash, bool& carry) {
  if (backslash == 0) {
    const std::uint64_t first = carry ? 1 : 0;
    carry = false;
    return first;
  }
  constexpr std::uint64_t even = 0x5555555555555555U;
  if (carry) backslash &= ~std::uint64_t{1};
  const std::uint64_t follows = (backslash << 1U) | (carry ? 1U : 0U);
  const std::uint64_t odd_starts = backslash & ~even & ~follows;
  const std::uint64_t sum = odd_starts + backslash;
  carry = sum < odd_starts;
  return (even ^ (sum << 1U)) & follows;
}

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
