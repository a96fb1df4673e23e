#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace crema::stats {

/// The two-sided p-value of a difference of `errors` standard errors: how often chance alone gives
/// one at least as large. The error itself is estimated with `dof` degrees of freedom (any
/// number above 0; infinite: it is known), so that this is Student's t distribution, else the
/// normal one. Exact to 12 digits up to 10,000 degrees of freedom, to 6 above. Absent where
/// `errors` is absent or there is no degree of freedom.
///
/// No library does better here: compiled alone (em++ 3.1.6 -Oz, gzip) this is 7 kB, Boost.Math's
/// incomplete beta function 81 kB, and Eigen's is off by 4e-9.
double p_value(double errors, double dof = std::numeric_limits<double>::infinity());

/// The difference, in standard errors, whose p-value is `p`: 12.706 for 0.05 and 1 degree of
/// dof.
double errors_of_p_value(double p, double dof = std::numeric_limits<double>::infinity());

/// Of what is called different, so much may be chance: the share of false discoveries over all rows
/// of a comparison.
inline constexpr double false_discovery_rate = 0.05;

/// Which of many differences are discoveries, so that at most `share` of them are false on average
/// (Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57, 1995). An absent p-value is none, and counts
/// not among the many.
std::vector<bool> benjamini_hochberg(const std::vector<double>& p_values,
                                     double share = false_discovery_rate);

/// A share of which `count` of `all` were seen: between these, each missed by 5 of 100 at most
/// (E. B. Wilson's interval with continuity correction: R. G. Newcombe, Stat. Med. 17, 1998).
struct ShareRange {
  double low = 0, high = 1;
};
inline ShareRange share_range(double count, double all) {
  constexpr double z = 1.645;
  if (!(all > 0)) return {};
  const double p = count / all, between = z * z - 1 / all + 4 * all * p * (1 - p);
  const double middle = 2 * count + z * z, width = 2 * (all + z * z);
  const double below = z * std::sqrt(std::max(0.0, between + 4 * p - 2)) + 1;
  const double above = z * std::sqrt(std::max(0.0, between - 4 * p + 2)) + 1;
  return {count == 0 ? 0 : std::max(0.0, (middle - below) / width),
          count == all ? 1 : std::min(1.0, (middle + above) / width)};
}

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

using CountOfEach = std::array<std::uint32_t, choices_at_once>;

/// In how many words each bit is set. All bits count at once: bit k of digit d is binary digit d of
/// bit k's count. Every other word waits at its digit for the next one, and a full adder takes
/// both.
class BitCounts {
 public:
  void add(std::uint64_t word) {
    std::size_t d = 0;
    for (; (words_ >> d & 1U) != 0; ++d) word = add(d, waiting_[d], word);
    waiting_[d] = word;
    ++words_;
  }
  CountOfEach counts() const;

 private:
  /// What is carried to the next digit.
  std::uint64_t add(std::size_t d, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t odd = digit_[d] ^ a;
    const std::uint64_t carried = (digit_[d] & a) | (odd & b);
    digit_[d] = odd ^ b;
    return carried;
  }
  std::array<std::uint64_t, 32> digit_{}, waiting_{};
  std::size_t words_ = 0;
};

/// How many of the members each choice has.
CountOfEach chosen_of(std::span<const std::uint32_t> members,
                      const std::vector<std::uint64_t>& choices);

}  // namespace crema::stats
