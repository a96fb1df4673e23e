#include <bit>
#include <numeric>

#include "core/stats/p_value.hpp"
#include "tests/core/catch.hpp"

using namespace crema::stats;

namespace {

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> all(end - first);
  std::iota(all.begin(), all.end(), first);
  return all;
}

}  // namespace

TEST_CASE("Random choices: each takes exactly as many as it is to, of these members alone") {
  for (const std::uint32_t size : {1U, 2U, 7U, 64U, 1000U}) {
    for (const std::uint32_t count : {0U, 1U, size / 3, size / 2, size - 1, size}) {
      INFO(count << " of " << size);
      RandomBits random;
      std::vector<std::uint64_t> choices(size + 2, 0);
      const auto members = numbers(1, size + 1);
      choose(members, count, random, choices);
      CHECK(choices.front() == 0);
      CHECK(choices.back() == 0);
      for (const std::uint32_t chosen : chosen_of(members, choices)) CHECK(chosen == count);
    }
  }
}

TEST_CASE("Random choices: of five two are any of the ten pairs, equally often") {
  RandomBits random;
  const auto members = numbers(0, 5);
  std::vector<std::uint64_t> choices(5);
  std::vector<double> seen(32, 0);
  for (int round = 0; round < 1000; ++round) {
    choose(members, 2, random, choices);
    for (std::size_t k = 0; k < choices_at_once; ++k) {
      unsigned pair = 0;
      for (unsigned i = 0; i < 5; ++i) pair |= static_cast<unsigned>(choices[i] >> k & 1U) << i;
      ++seen[pair];
    }
  }
  // 6,400 of each, with a standard deviation of 76; chi-squared of nine degrees of freedom is above
  // 27.9 once in a thousand
  double squares = 0;
  for (unsigned pair = 0; pair < 32; ++pair) {
    if (std::popcount(pair) == 2) squares += (seen[pair] - 6400) * (seen[pair] - 6400) / 6400;
    else CHECK(seen[pair] == 0);
  }
  CHECK(squares < 27.9);
}

TEST_CASE("Random choices: one does not follow another, and members not their neighbours") {
  RandomBits random;
  const auto members = numbers(0, 6400);
  std::vector<std::uint64_t> choices(members.size());
  choose(members, 1600, random, choices);
  // Two choices of a quarter share a quarter of it: 400, with a standard deviation of 15; of 120
  // pairs the farthest is some three of them off.
  for (unsigned a = 0; a < choices_at_once; a += 4) {
    for (unsigned b = a + 4; b < choices_at_once; b += 4) {
      int both = 0;
      for (const std::uint64_t word : choices) both += static_cast<int>(word >> a & word >> b & 1U);
      CHECK(std::abs(both - 400) < 75);
    }
  }
  int next = 0;
  for (std::size_t i = 1; i < choices.size(); ++i)
    next += std::popcount(choices[i] & choices[i - 1]);
  CHECK(next == Approx(6399 * 64 / 16.0).epsilon(0.02));
}

TEST_CASE("Random choices: what a few members have is counted choice by choice") {
  // choice 0 has all of five, choice 1 none, choice 63 the first and the last
  const std::uint64_t last = std::uint64_t{1} << 63U;
  const std::vector<std::uint64_t> choices = {1 | last, 1, 1, 1, 1 | last};
  const auto counts = chosen_of(numbers(0, 5), choices);
  CHECK(counts[0] == 5);
  CHECK(counts[1] == 0);
  CHECK(counts[63] == 2);
}
