#include "core/stats/p_value.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/numbers.hpp"

namespace crema::stats {

namespace {

/// Γ(a + 1/2) / Γ(a), by its series in 1 / (a − 1/4), after a was raised to where that converges
/// (D. W. Frame, Am. Math. Mon. 56, 1949).
double gamma_ratio(double a) {
  double factor = 1;
  for (; a < 60; a += 1) factor *= a / (a + 0.5);
  const double x = a - 0.25;
  const double y = 1 / (x * x);
  return factor * std::sqrt(x) * (1 + y * (1.0 / 64 + y * (-19.0 / 8192 + y * 631.0 / 524288)));
}

/// The continued fraction of the incomplete beta function, by Lentz's method (W. H. Press et al.,
/// Numerical Recipes, section 6.4). It converges fast where x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto not_zero = [](double value) { return std::fabs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double product = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 / not_zero(1 + term * d);
      c = not_zero(1 + term / c);
      step = c * d;
      product *= step;
    }
    if (std::fabs(step - 1) < 1e-16) break;
  }
  return product;
}

}  // namespace

double p_value(double errors, double dof) {
  if (is_absent(errors) || !(dof > 0)) return absent;
  // There the two distributions differ by a millionth of p, and the fraction would take long.
  if (dof > 1e8) return std::erfc(std::fabs(errors) / std::sqrt(2.0));
  // I_x(a, 1/2) with a = dof / 2 and x = dof / (dof + t²), the regularized incomplete
  // beta function; x^a √(1 − x) and 1 / B(a, 1/2) stand before both of its fractions.
  const double a = dof / 2;
  const double t = std::fabs(errors);
  const double square = t / dof * t;
  if (std::isinf(square)) return 0;
  const double rest = square / (1 + square);
  const double before = elementary::exp(-a * elementary::log1p(square)) * std::sqrt(rest) *
                        gamma_ratio(a) / std::sqrt(3.141592653589793);
  const double x = 1 / (1 + square);
  return x < (a + 1) / (a + 2.5) ? before * beta_fraction(a, 0.5, x) / a
                                 : 1 - before * beta_fraction(0.5, a, rest) * 2;
}

double errors_of_p_value(double p, double dof) {
  if (!(dof > 0) || !(p > 0 && p <= 1)) return absent;
  double low = 0;
  double high = 1;
  while (p_value(high, dof) > p) {
    low = high;
    high *= 2;
  }
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    (p_value(middle, dof) > p ? low : high) = middle;
  }
}

std::vector<bool> benjamini_hochberg(const std::vector<double>& p_values, double share) {
  const std::vector<double> sorted = sorted_present(p_values);
  double limit = -1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double allowed = share * static_cast<double>(i + 1) / static_cast<double>(sorted.size());
    if (sorted[i] <= allowed) limit = sorted[i];
  }
  std::vector<bool> found(p_values.size());
  std::transform(p_values.begin(), p_values.end(), found.begin(),
                 [&](double p_value) { return p_value <= limit; });
  return found;
}

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

CountOfEach BitCounts::counts() const {
  BitCounts all = *this;
  std::uint64_t word = 0;
  std::size_t digits = 0;
  for (; words_ >> digits != 0; ++digits)
    word = all.add(digits, word, (words_ >> digits & 1U) != 0 ? waiting_[digits] : 0);
  CountOfEach counts{};
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t k = 0; k < choices_at_once; ++k)
      counts[k] |= static_cast<std::uint32_t>(all.digit_[d] >> k & 1U) << d;
  }
  return counts;
}

CountOfEach chosen_of(std::span<const std::uint32_t> members,
                      const std::vector<std::uint64_t>& choices) {
  BitCounts counts;
  for (const std::uint32_t member : members) counts.add(choices[member]);
  return counts.counts();
}

}  // namespace crema::stats
