#include "core/stats/random_choices.hpp"

#include <algorithm>

namespace crema::stats {

std::uint64_t RandomBits::next() {
  std::uint64_t bits = state_ += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

void choose(std::span<const std::uint32_t> members, std::size_t count, RandomBits& random,
            std::vector<std::uint64_t>& choices) {
  if (members.empty()) return;
  // Each member by itself with nearly the right chance, in 256ths: as in a binary fraction, a digit
  // 1 adds half of the words' bits, a digit 0 takes half away. Then members are added or taken at
  // random until there are `count`. Those left out are chosen where they are fewer.
  const std::size_t fewest = std::min(count, members.size() - count);
  const std::size_t chance = 256 * fewest / members.size();
  for (const std::uint32_t member : members) {
    std::uint64_t word = 0;
    for (std::size_t digit = 0; digit < 8; ++digit) {
      const std::uint64_t bits = random.next();
      word = (chance >> digit & 1U) != 0 ? word | bits : word & bits;
    }
    choices[member] = word;
  }
  const auto counts = chosen_of(members, choices);
  for (std::size_t k = 0; k < choices_at_once; ++k) {
    const std::uint64_t bit = std::uint64_t{1} << k;
    for (std::size_t has = counts[k]; has != fewest;) {
      std::uint64_t& word = choices[members[random.below(members.size())]];
      const bool is_in = (word & bit) != 0;
      if (is_in != (has > fewest)) continue;
      word ^= bit;
      has += is_in ? std::size_t(-1) : 1;
    }
  }
  if (fewest == count) return;
  for (const std::uint32_t member : members) choices[member] = ~choices[member];
}

std::array<std::uint32_t, choices_at_once> chosen_of(std::span<const std::uint32_t> members,
                                                     const std::vector<std::uint64_t>& choices) {
  // All choices count at once: bit k of digit[d] is binary digit d of choice k's count. Every other
  // word waits at its digit for the next one, and a full adder takes both.
  std::array<std::uint64_t, 32> digit{}, waiting{};
  const auto add = [&](std::size_t d, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t odd = digit[d] ^ a;
    const std::uint64_t carry = (digit[d] & a) | (odd & b);
    digit[d] = odd ^ b;
    return carry;
  };
  const std::size_t size = members.size();
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t word = choices[members[i]];
    std::size_t d = 0;
    for (; (i >> d & 1U) != 0; ++d) word = add(d, waiting[d], word);
    waiting[d] = word;
  }
  std::uint64_t word = 0;
  std::size_t digits = 0;
  for (; size >> digits != 0; ++digits)
    word = add(digits, word, (size >> digits & 1U) != 0 ? waiting[digits] : 0);
  std::array<std::uint32_t, choices_at_once> counts{};
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t k = 0; k < choices_at_once; ++k)
      counts[k] |= static_cast<std::uint32_t>(digit[d] >> k & 1U) << d;
  }
  return counts;
}

}  // namespace crema::stats
