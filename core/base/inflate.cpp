#include "core/base/inflate.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace crema {

namespace {

constexpr unsigned longest_code = 15;  // bits of a Huffman code (RFC 1951, 3.2.7)
constexpr int end_of_block = 256;      // a symbol

/// The checksum of RFC 1952, 8.
std::uint32_t crc32(std::string_view bytes) {
  // A byte in two steps: arrays are small, and a table of 16 is enough for them.
  constexpr auto table = [] {
    std::array<std::uint32_t, 16> made{};
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      made[i] = i;
      for (int bit = 0; bit < 4; ++bit)
        made[i] = made[i] >> 1U ^ ((made[i] & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return made;
  }();
  std::uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    sum = sum >> 4U ^ table[sum & 15U];
    sum = sum >> 4U ^ table[sum & 15U];
  }
  return ~sum;
}

/// Bits of a string, lowest first. Behind the end come zeros, and `overrun` is set.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  unsigned take(unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) value |= bit() << i;
    return value;
  }
  void skip_to_byte() { at_ = (at_ + 7) / 8 * 8; }
  std::size_t byte() const { return at_ / 8; }
  bool overrun() const { return at_ > bytes_.size() * 8; }

 private:
  unsigned bit() const {
    const std::size_t byte = at_ / 8;
    return byte < bytes_.size() ? (static_cast<unsigned char>(bytes_[byte]) >> (at_ % 8)) & 1U : 0U;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;  // [bit]
};

/// A canonical Huffman code: how many codes there are of each length, and the symbols in the order
/// of their codes.
class Huffman {
 public:
  explicit Huffman(const std::vector<std::uint8_t>& lengths) : symbols_(lengths.size()) {
    for (const std::uint8_t length : lengths) ++counts_[length];
    std::array<std::uint16_t, longest_code + 2> next{};
    for (unsigned length = 1; length <= longest_code; ++length)
      next[length + 1] = static_cast<std::uint16_t>(next[length] + counts_[length]);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] > 0)
        symbols_[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
  }

  /// No two codes are the same, and all bits are some code's.
  bool is_complete() const { return unused() == 0; }
  /// The same, or what an encoder writes that needs one symbol or none: one code of one bit, or
  /// none.
  bool is_valid() const {
    return is_complete() ||
           (unused() > 0 && counts_[0] + counts_[1] == symbols_.size() && counts_[1] < 2);
  }

  /// The next symbol, or -1 when the bits are none.
  int take(Bits& bits) const {
    int code = 0;
    int first = 0;  // of this length
    int index = 0;  // of its symbol
    for (unsigned length = 1; length <= longest_code; ++length) {
      code |= static_cast<int>(bits.take(1));
      const int count = counts_[length];
      if (code < first) return -1;  // lengths that no code has
      if (code - first < count) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  /// How many codes of the greatest length are left; below 0 when there are more codes than bits
  /// tell apart.
  int unused() const {
    int left = 1;
    for (unsigned length = 1; length <= longest_code && left >= 0; ++length)
      left = (left << 1) - counts_[length];
    return left;
  }

  std::array<std::uint16_t, longest_code + 1> counts_{};
  std::vector<std::uint16_t> symbols_;
};

struct Codes {
  Huffman literals, distances;
};

Codes fixed_codes() {
  std::vector<std::uint8_t> lengths(288, 8);
  for (std::size_t i = 144; i < 256; ++i) lengths[i] = 9;
  for (std::size_t i = 256; i < 280; ++i) lengths[i] = 7;
  return {Huffman(lengths), Huffman(std::vector<std::uint8_t>(30, 5))};
}

std::optional<Codes> dynamic_codes(Bits& bits) {
  const unsigned literals = bits.take(5) + 257;
  const unsigned distances = bits.take(5) + 1;
  const unsigned meta = bits.take(4) + 4;
  if (literals > 286 || distances > 30) return std::nullopt;
  constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::vector<std::uint8_t> meta_lengths(order.size());
  for (unsigned i = 0; i < meta; ++i)
    meta_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3));
  const Huffman lengths_code(meta_lengths);
  if (!lengths_code.is_complete()) return std::nullopt;
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals + distances) {
    const int symbol = lengths_code.take(bits);
    if (symbol < 0 || bits.overrun()) return std::nullopt;
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) return std::nullopt;
    const std::uint8_t repeated = symbol == 16 ? lengths.back() : std::uint8_t{0};
    const unsigned times = symbol == 16   ? bits.take(2) + 3
                           : symbol == 17 ? bits.take(3) + 3
                                          : bits.take(7) + 11;
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() != literals + distances || lengths[end_of_block] == 0) return std::nullopt;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
  Codes codes{Huffman({lengths.begin(), middle}), Huffman({middle, lengths.end()})};
  if (!codes.literals.is_valid() || !codes.distances.is_valid()) return std::nullopt;
  return codes;
}

bool stored_block(Bits& bits, std::string_view bytes, std::size_t limit, std::string& out) {
  bits.skip_to_byte();
  const unsigned size = bits.take(16);
  const unsigned check = bits.take(16);
  const std::size_t begin = bits.byte();
  if ((size ^ check) != 0xFFFFU || begin + size > bytes.size() || out.size() + size > limit)
    return false;
  out.append(bytes.substr(begin, size));
  for (unsigned i = 0; i < size; ++i) bits.take(8);
  return true;
}

bool coded_block(Bits& bits, const Codes& codes, std::size_t limit, std::string& out) {
  constexpr std::array<std::uint16_t, 29> length_base = {
      3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  constexpr std::array<std::uint8_t, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  constexpr std::array<std::uint16_t, 30> distance_base = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
      193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  while (!bits.overrun() && out.size() <= limit) {
    const int symbol = codes.literals.take(bits);
    if (symbol < 0) return false;
    if (symbol == end_of_block) return !bits.overrun();
    if (symbol < end_of_block) {
      out.push_back(static_cast<char>(symbol));
      continue;
    }
    const auto length_code = static_cast<std::size_t>(symbol - end_of_block - 1);
    if (length_code >= length_base.size()) return false;
    const std::size_t length = length_base[length_code] + bits.take(length_bits[length_code]);
    const int distance_code = codes.distances.take(bits);
    if (distance_code < 0 || distance_code >= static_cast<int>(distance_base.size())) return false;
    const auto code = static_cast<std::size_t>(distance_code);
    const std::size_t distance =
        distance_base[code] + bits.take(code < 4 ? 0U : static_cast<unsigned>(code / 2 - 1));
    if (distance > out.size() || out.size() + length > limit) return false;
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
  return false;
}

/// Length of a gzip member's header; 0 when it is none.
std::size_t header_size(std::string_view bytes) {
  constexpr std::size_t fixed_part = 10;
  if (bytes.size() < fixed_part || bytes.substr(0, 3) != "\x1F\x8B\x08") return 0;
  const auto flags = static_cast<unsigned char>(bytes[3]);
  if (flags >= 32) return 0;  // bits that no version of gzip has given a meaning
  std::size_t at = fixed_part;
  if ((flags & 4U) != 0) {  // extra field
    if (at + 2 > bytes.size()) return 0;
    at += 2 + static_cast<unsigned char>(bytes[at]) +
          256U * static_cast<unsigned char>(bytes[at + 1]);
  }
  for (const unsigned text : {8U, 16U}) {  // name, comment
    if ((flags & text) == 0) continue;
    const std::size_t zero = bytes.find('\0', at);
    if (zero == std::string_view::npos) return 0;
    at = zero + 1;
  }
  if ((flags & 2U) == 0) return at <= bytes.size() ? at : 0;
  if (at + 2 > bytes.size()) return 0;
  const unsigned sum =
      static_cast<unsigned char>(bytes[at]) + 256U * static_cast<unsigned char>(bytes[at + 1]);
  return sum == (crc32(bytes.substr(0, at)) & 0xFFFFU) ? at + 2 : 0;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 256> value_of{};
  value_of.fill(64);
  for (std::size_t i = 0; i < digits.size(); ++i)
    value_of[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  unsigned pending = 0;
  unsigned count = 0;  // bits pending
  for (const char c : text) {
    const unsigned value = value_of[static_cast<unsigned char>(c)];
    if (value == 64) return std::nullopt;
    pending = (pending << 6U | value) & 0xFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(pending >> count & 0xFFU));
  }
  return out;
}

std::optional<std::string> gunzip(std::string_view bytes, std::size_t limit) {
  const std::size_t header = header_size(bytes);
  if (header == 0) return std::nullopt;
  bytes.remove_prefix(header);
  Bits bits(bytes);
  std::string out;
  bool is_last = false;
  while (!is_last) {
    is_last = bits.take(1) == 1;
    const unsigned kind = bits.take(2);
    if (kind == 0) {
      if (!stored_block(bits, bytes, limit, out)) return std::nullopt;
    } else if (kind == 1) {
      if (!coded_block(bits, fixed_codes(), limit, out)) return std::nullopt;
    } else {
      const std::optional<Codes> codes = kind == 2 ? dynamic_codes(bits) : std::nullopt;
      if (!codes || !coded_block(bits, *codes, limit, out)) return std::nullopt;
    }
  }
  bits.skip_to_byte();
  const std::uint32_t sum = bits.take(32);
  const std::uint32_t size = bits.take(32);
  if (bits.overrun() || sum != crc32(out) || size != static_cast<std::uint32_t>(out.size()))
    return std::nullopt;
  return out;
}

}  // namespace crema
