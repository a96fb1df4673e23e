#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace crema {

/// 64 bits by which bytes are known again, in whatever pieces they are given. Bytes of one length
/// that differ in one aligned word of eight never share them; others do once in 2^64. That is
/// against chance, not against malice.
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
      mix(rest_.data());
    }
    for (; bytes.size() >= block; bytes.remove_prefix(block)) mix(bytes.data());
    std::copy_n(bytes.data(), bytes.size(), rest_.data());
  }

  std::uint64_t value() const {
    Digest last = *this;
    std::fill(last.rest_.begin() + static_cast<std::ptrdiff_t>(length_ % block), last.rest_.end(),
              '\0');
    last.mix(last.rest_.data());
    std::uint64_t all = length_;
    for (const std::uint64_t lane : last.lanes_) all = mixed(all, lane);
    // the last lane's high bits have met nothing yet
    all ^= all >> 32U;
    return mixed(all, 0);
  }

 private:
  static constexpr std::size_t block = 32;  ///< a word for each lane

  /// Each of `state` and `word` decides the result when the other is given: a difference stays one.
  static std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
    // 2^64 / the golden ratio: odd, and its bits are in no order
    return std::rotl(state ^ word, 29) * 0x9e3779b97f4a7c15U;
  }

  void mix(const char* words) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, words + lane * sizeof word, sizeof word);
      lanes_[lane] = mixed(lanes_[lane], word);
    }
  }

  std::array<std::uint64_t, 4> lanes_ = {1, 2, 3, 4};
  std::array<char, block> rest_{};  ///< what is not a block yet
  std::uint64_t length_ = 0;        ///< [byte]
};

}  // namespace crema
