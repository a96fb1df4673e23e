#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define CREMA_SIMD
#elif defined(__SSE2__)
#include <immintrin.h>
#define CREMA_SIMD
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define CREMA_SIMD
#endif

/// Operations on several bytes at once. Each instruction set has a type of the same shape, tested
/// against `Portable`: `load` reads `width` bytes (at any address), `equals` and `control` mark
/// bytes, `marks` gathers the marks as bits, the first byte's lowest. `high` marks the bytes that
/// are not ASCII.
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

#if defined(__wasm_simd128__)

struct Wasm {
  static constexpr std::size_t width = 16;
  v128_t v;

  static Wasm load(const char* p) { return {wasm_v128_load(p)}; }
  Wasm equals(char c) const { return {wasm_i8x16_eq(v, wasm_i8x16_splat(c))}; }
  Wasm control() const { return {wasm_u8x16_lt(v, wasm_i8x16_splat(0x20))}; }
  Wasm high() const { return {wasm_i8x16_lt(v, wasm_i8x16_splat(0))}; }
  Wasm lower() const { return {wasm_v128_or(v, wasm_i8x16_splat(0x20))}; }
  Wasm operator|(Wasm o) const { return {wasm_v128_or(v, o.v)}; }
  Wasm operator^(Wasm o) const { return {wasm_v128_xor(v, o.v)}; }
  bool any() const { return wasm_v128_any_true(v); }
  std::uint64_t marks() const { return static_cast<std::uint16_t>(wasm_i8x16_bitmask(v)); }
};
using Sixteen = Wasm;
using Widest = Wasm;

#elif defined(__SSE2__)

struct Sse2 {
  static constexpr std::size_t width = 16;
  __m128i v;

  static Sse2 load(const char* p) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))}; }
  Sse2 equals(char c) const { return {_mm_cmpeq_epi8(v, _mm_set1_epi8(c))}; }
  Sse2 control() const { return {_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v)}; }
  Sse2 high() const { return {_mm_cmplt_epi8(v, _mm_setzero_si128())}; }
  Sse2 lower() const { return {_mm_or_si128(v, _mm_set1_epi8(0x20))}; }
  Sse2 operator|(Sse2 o) const { return {_mm_or_si128(v, o.v)}; }
  Sse2 operator^(Sse2 o) const { return {_mm_xor_si128(v, o.v)}; }
  bool any() const { return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) != 0xffff; }
  std::uint64_t marks() const { return static_cast<std::uint32_t>(_mm_movemask_epi8(v)); }
};
using Sixteen = Sse2;
using Widest = Sse2;

#elif defined(__ARM_NEON) && defined(__aarch64__)

struct Neon {
  static constexpr std::size_t width = 16;
  uint8x16_t v;

  static Neon load(const char* p) { return {vld1q_u8(reinterpret_cast<const std::uint8_t*>(p))}; }
  Neon equals(char c) const { return {vceqq_u8(v, vdupq_n_u8(static_cast<std::uint8_t>(c)))}; }
  Neon control() const { return {vcltq_u8(v, vdupq_n_u8(0x20))}; }
  Neon high() const { return {vcgeq_u8(v, vdupq_n_u8(0x80))}; }
  Neon lower() const { return {vorrq_u8(v, vdupq_n_u8(0x20))}; }
  Neon operator|(Neon o) const { return {vorrq_u8(v, o.v)}; }
  Neon operator^(Neon o) const { return {veorq_u8(v, o.v)}; }
  bool any() const { return vmaxvq_u8(v) != 0; }
  std::uint64_t marks() const {
    // One bit of each byte, and the bytes of each half added up.
    constexpr std::uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vandq_u8(v, vld1q_u8(bit));
    return vaddv_u8(vget_low_u8(bits)) | (std::uint64_t{vaddv_u8(vget_high_u8(bits))} << 8U);
  }
};
using Sixteen = Neon;
using Widest = Neon;

#else

using Sixteen = Portable;  // eight at a time, then
using Widest = Portable;

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
