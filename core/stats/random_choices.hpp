#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crema::stats {

/// The same bits each time (splitmix64: G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
class RandomBits {
 public:
  std::uint64_t next();
  /// One of 0 … count − 1; count < 2^32.
  std::size_t below(std::size_t count) { return (next() >> 32U) * count >> 32U; }

 private:
  std::uint64_t state_ = 0;
};

/// So many choices are made at once: one in each bit of a word. Bit k of a member's word says
/// whether the k-th choice has it.
inline constexpr std::size_t choices_at_once = 64;

/// Chooses `count` of the members in each of the choices; every subset of that size is as likely as
/// any other. `choices`: a word for whatever a member's number may be.
void choose(std::span<const std::uint32_t> members, std::size_t count, RandomBits& random,
            std::vector<std::uint64_t>& choices);

/// How many of the members each choice has.
std::array<std::uint32_t, choices_at_once> chosen_of(std::span<const std::uint32_t> members,
                                                     const std::vector<std::uint64_t>& choices);

}  // namespace crema::stats
