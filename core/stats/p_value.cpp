#include "core/stats/p_value.hpp"

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

}  // namespace crema::stats
