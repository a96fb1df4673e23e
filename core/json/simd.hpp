#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/// Operations on several bytes at once, in a machine word or, of the same shape, a vector: `load`
/// reads `width` bytes (at any address), `equals` and `control` mark bytes, `marks` gathers the
/// marks as bits, the first byte's lowest. `high` marks the bytes that are not ASCII.
namespace crema::json::simd {

/// Eight bytes in a machine word; a marked byte is 0x80.
struct Portable {
  static constexpr std::size_t width = 8;
  std::uint64_t v;

  static Portable load(const char* p) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return {word};
  }
  Portable equals(char c) const {
    return zero_bytes(v ^ (0x0101010101010101U * static_cast<unsigned char>(c)));
  }
  Portable control() const { return zero_bytes(v & 0xe0e0e0e0e0e0e0e0U); }
  Portable high() const { return {v & 0x8080808080808080U}; }
  /// Makes square brackets curly, so that one comparison finds both: '[' | 0x20 is '{'.
  Portable lower() const { return {v | 0x2020202020202020U}; }
  Portable operator|(Portable o) const { return {v | o.v}; }
  Portable operator^(Portable o) const { return {v ^ o.v}; }
  bool any() const { return v != 0; }
  std::uint64_t marks() const { return ((v >> 7U) * 0x0102040810204080U) >> 56U; }

 private:
  static Portable zero_bytes(std::uint64_t x) {
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fU;
    return {~(((x & low) + low) | x | low)};
  }
};

#if defined(__wasm_simd128__) || defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))

/// Sixteen bytes in a vector of the machine; the highest bit of a marked byte is set.
struct Sixteen {
  static constexpr std::size_t width = 16;
  using Bytes [[gnu::vector_size(16)]] = unsigned char;
  Bytes v;

  static Sixteen load(const char* p) {
    Bytes bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return {bytes};
  }
  Sixteen equals(char c) const { return {Bytes(v == static_cast<unsigned char>(c))}; }
  Sixteen control() const { return {Bytes(v < 0x20)}; }
  Sixteen high() const { return {v & 0x80}; }
  Sixteen lower() const { return {v | 0x20}; }
  Sixteen operator|(Sixteen o) const { return {v | o.v}; }
  Sixteen operator^(Sixteen o) const { return {v ^ o.v}; }
#if defined(__wasm_simd128__)
  bool any() const { return wasm_v128_any_true((v128_t)v); }
  std::uint64_t marks() const { return static_cast<std::uint16_t>(wasm_i8x16_bitmask((v128_t)v)); }
#elif defined(__SSE2__)
  bool any() const { return _mm_movemask_epi8((__m128i)(v == 0)) != 0xffff; }
  std::uint64_t marks() const { return static_cast<std::uint32_t>(_mm_movemask_epi8((__m128i)v)); }
#else
  bool any() const { return vmaxvq_u8((uint8x16_t)v) != 0; }
  std::uint64_t marks() const {
    // One bit of each marked byte, and the bytes of each half added up.
    constexpr Bytes bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto bits = (uint8x16_t)(Bytes(v >= 0x80) & bit);
    return vaddv_u8(vget_low_u8(bits)) | (std::uint64_t{vaddv_u8(vget_high_u8(bits))} << 8U);
  }
#endif
};

#else

using Sixteen = Portable;  // eight at a time, then

#endif

/// Whether the `length` bytes at `a` and at `b` are the same. Reads nothing beyond them.
inline bool same_bytes(const char* a, const char* b, std::size_t length) {
  constexpr std::size_t width = Sixteen::width;
  const auto differ = [&]<class Word>(Word, std::size_t at) {
    Word left, right;
    std::memcpy(&left, a + at, sizeof left);
    std::memcpy(&right, b + at, sizeof right);
    return left ^ right;
  };
  // The last ones overlap those before them.
  if (length < width) {
    if (length >= 8) return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, length - 8)) == 0;
    if (length >= 4) return (differ(std::uint32_t{}, 0) | differ(std::uint32_t{}, length - 4)) == 0;
    for (std::size_t i = 0; i < length; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  Sixteen difference = Sixteen::load(a + length - width) ^ Sixteen::load(b + length - width);
  for (std::size_t i = 0; i + width < length; i += width)
    difference = difference | (Sixteen::load(a + i) ^ Sixteen::load(b + i));
  return !difference.any();
}

}  // namespace crema::json::simd
