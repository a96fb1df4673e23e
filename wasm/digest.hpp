#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace crema {

/// 64 bits by which bytes are recognised again, in whatever pieces they come: sums of words and
/// sums of those sums, as Fletcher's checksum has them. Every byte that the page opens passes
/// through here, so a word costs two additions and no multiplication. It holds against chance,
/// not against malice.
class Digest {
 public:
  void add(std::string_view bytes) {
    const std::size_t waiting = length_ % block;
    length_ += bytes.size();
    if (waiting > 0) {
      const std::size_t more = std::min(bytes.size(), block - waiting);
      std::copy_n(bytes.data(), more, rest_.data() + waiting);
      bytes.remove_prefix(more);
      if (waiting + more < block) return;
      add_blocks(rest_.data(), 1);
    }
    add_blocks(bytes.data(), bytes.size() / block);
    bytes.remove_prefix(bytes.size() / block * block);
    std::copy_n(bytes.data(), bytes.size(), rest_.data());
  }

  std::uint64_t value() const {
    Digest last = *this;
    std::fill(last.rest_.begin() + static_cast<std::ptrdiff_t>(length_ % block), last.rest_.end(),
              '\0');
    last.add_blocks(last.rest_.data(), 1);
    std::uint64_t all = length_;
    for (const Sums& sums : {last.even_, last.odd_}) {
      for (const Words& words : {sums.left, sums.right, sums.second, sums.third})
        all = mixed(mixed(all, words[0]), words[1]);
    }
    // the last word's high bits have met nothing yet
    all ^= all >> 32U;
    return mixed(all, 0);
  }

 private:
  using Words = std::uint64_t __attribute__((vector_size(16)));
  using Halves = std::uint32_t __attribute__((vector_size(16)));

  struct Sums {
    Words left{}, right{};    ///< of the words
    Words second{}, third{};  ///< of both sums, and of that

    void add(const char* at) {
      left += words_at(at);
      right += words_at(at + sizeof(Words));
      // The halves of a word change places: what differs in its highest byte would be multiplied
      // beyond 64 bits by the sums that follow.
      const auto halves = reinterpret_cast<Halves>(left + right);
      second += reinterpret_cast<Words>(__builtin_shufflevector(halves, halves, 1, 0, 3, 2));
      third += second;
    }
    static Words words_at(const char* at) {
      Words words;
      std::memcpy(&words, at, sizeof words);
      return words;
    }
  };

  static constexpr std::size_t block = 4 * sizeof(Words);

  /// Two sums in turn: their additions do not wait for each other.
  void add_blocks(const char* at, std::size_t count) {
    Sums even = even_;  // in registers
    Sums odd = odd_;
    for (; count > 0; --count, at += block) {
      even.add(at);
      odd.add(at + block / 2);
    }
    even_ = even;
    odd_ = odd;
  }

  static std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
    // 2^64 / the golden ratio: odd, and its bits are in no order
    return std::rotl(state ^ word, 29) * 0x9e3779b97f4a7c15U;
  }

  Sums even_, odd_;
  std::array<char, block> rest_{};  ///< what is not a block yet
  std::uint64_t length_ = 0;        ///< [byte]
};

}  // namespace crema
