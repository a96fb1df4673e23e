#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/simd.hpp"

namespace crema::json {

/// A scanned number: ± `digits` x 10^`exponent`.
struct Number {
  enum class Kind : std::uint8_t { integer, decimal };  ///< with a fraction or exponent: decimal

  Kind kind = Kind::integer;
  bool negative = false;
  bool overflow = false;  ///< more digits than `digits` can hold
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
};

/// The number of eight digits 0 to 9, the first in the lowest byte. Digits are joined in pairs,
/// pairs in fours, fours in eight, each time all at once.
[[gnu::always_inline]] inline std::uint64_t join_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8U);
  return ((digits & 0x000000ff000000ffU) * 0x000f424000000064U +
          ((digits >> 16U) & 0x000000ff000000ffU) * 0x0000271000000001U) >>
         32U;
}

/// Reads digits from `p` on into `digits`, modulo 2^64; returns where they end. Takes up to eight
/// at a time: their number is unpredictable, and a branch per digit would be mispredicted once per
/// number.
[[gnu::always_inline]] inline const char* scan_digits(const char* p, const char* end,
                                                      std::uint64_t& digits) {
  constexpr std::uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  while (end - p >= 8) {
    const std::uint64_t text = simd::Portable::load(p).v ^ 0x3030303030303030U;
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fU;
    // 0x80 in each byte that is above 9
    const std::uint64_t others = (((text & low) + 0x7676767676767676U) | text) & ~low;
    if (others != 0) {
      const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
      if (count == 0) return p;
      // zeros go in front of what is less than eight digits
      digits = digits * powers[count] + join_digits(text << (64 - 8 * count));
      return p + count;
    }
    digits = digits * 100000000U + join_digits(text);
    p += 8;
  }
  for (unsigned d = 0;
       p != end && (d = static_cast<unsigned>(static_cast<unsigned char>(*p)) - '0') < 10; ++p)
    digits = digits * 10 + d;
  return p;
}

/// Reads the number that begins at `p` (JSON's grammar) into `number`; returns where it ends,
/// nullptr when there is none. A number that ends at `end` may go on in bytes that have not come
/// yet.
[[gnu::always_inline]] inline const char* scan_number(const char* p, const char* end,
                                                      Number& number) {
  number = {};
  if (p != end && *p == '-') {
    number.negative = true;
    ++p;
  }
  const char* const first = p;
  std::uint64_t digits = 0;
  p = scan_digits(p, end, digits);
  std::int64_t count = p - first;
  if (count == 0 || (count > 1 && *first == '0')) return nullptr;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    p = scan_digits(p, end, digits);
    if (p == fraction) return nullptr;
    number.kind = Number::Kind::decimal;
    number.exponent = fraction - p;
    count += p - fraction;
  }
  number.digits = digits;
  if (count > 19) {
    // zeros in front are no digits that have to be held
    for (const char* zero = first; zero != p && (*zero == '0' || *zero == '.'); ++zero)
      count -= *zero == '0' ? 1 : 0;
    number.overflow = count > 19;
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool minus = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    const char* const power = p;
    std::int64_t exponent = 0;
    for (; p != end && *p >= '0' && *p <= '9'; ++p)
      exponent = exponent < 100000 ? exponent * 10 + (*p - '0') : exponent;
    if (p == power) return nullptr;
    number.kind = Number::Kind::decimal;
    number.exponent += minus ? -exponent : exponent;
  }
  return p;
}

/// The double nearest to the decimal number written in [begin, end), whatever its length; ±infinity
/// beyond the range.
double nearest_double(const char* begin, const char* end);
/// The same, where it was scanned as ± `digits` x 10^`exponent`. (Not a Number: passing its address
/// would keep it in memory wherever numbers are scanned.)
double nearest_double(std::uint64_t digits, std::int64_t exponent, bool negative, const char* begin,
                      const char* end);

/// The double nearest to `number`, which was scanned from [begin, end). Where digits and power of
/// ten are doubles themselves, one operation gives it exactly rounded (Clinger 1990).
inline double value_of(const Number& number, const char* begin, const char* end) {
#if FLT_EVAL_METHOD == 0
  constexpr std::uint64_t exact = std::uint64_t{1} << 53U;
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (number.digits <= exact && !number.overflow && number.exponent >= -22 &&
      number.exponent <= 22) {
    const double digits = static_cast<double>(number.digits);
    const double value =
        number.exponent < 0 ? digits / powers[-number.exponent] : digits * powers[number.exponent];
    return number.negative ? -value : value;
  }
#endif
  if (number.overflow) return nearest_double(begin, end);
  return nearest_double(number.digits, number.exponent, number.negative, begin, end);
}

/// Reads the number at `p` into `value`; returns where it ends, nullptr when its end has not come
/// yet or no double is as large.
inline const char* take_number(const char* p, const char* end, double& value) {
  Number number;
  const char* const stop = scan_number(p, end, number);
  if (stop == nullptr || stop == end) return nullptr;
  // Python's integers have no negative zero
  if (number.kind == Number::Kind::integer && number.digits == 0) number.negative = false;
  value = value_of(number, p, stop);
  return std::isfinite(value) ? stop : nullptr;
}

/// Decodes the escapes of a JSON string (the text between its quotes) into `out`. Returns the
/// offset of a broken escape, nothing when all are well. A lone surrogate becomes U+FFFD.
std::optional<std::size_t> unescape(std::string_view raw, std::string& out);

/// Appends the UTF-8 form of a code point; surrogates and numbers beyond U+10FFFF become U+FFFD.
void append_utf8(std::string& out, std::uint32_t code);

/// All of `text` as a hexadecimal number of so many digits; nothing when it is none.
std::optional<std::uint32_t> parse_hex(std::string_view text, std::size_t digits);

/// The offset of the first byte that is not valid UTF-8 (RFC 3629), nothing when all are.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace crema::json
