#include "core/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crema::elementary {

namespace {

// ln 2 as a double of few bits, whose multiples are exact, and the rest
constexpr double ln2_high = 0x1.62e42fee00000p-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

/// 2 artanh(s) for |s| <= 0.18, by its series: s² is below 0.033, so 12 terms are enough.
double log_of_ratio(double s) {
  const double square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * s * sum;
}

/// exp(r) − 1 for |r| <= 0.35, by its series.
double small_expm1(double r) {
  double sum = 0;
  for (int k = 15; k >= 1; --k) sum = (sum + 1) * r / k;
  return sum;
}

}  // namespace

double log(double x) {
  if (!(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double part = std::frexp(x, &exponent);
  if (part < 0.7071067811865476) {
    part *= 2;
    --exponent;
  }
  return exponent * ln2_high + (log_of_ratio((part - 1) / (part + 1)) + exponent * ln2_low);
}

double log1p(double x) { return std::fabs(x) < 0.3 ? log_of_ratio(x / (2 + x)) : log(1 + x); }

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.8) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double times = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double rest = (x - times * ln2_high) - times * ln2_low;
  return std::ldexp(1 + small_expm1(rest), static_cast<int>(times));
}

double expm1(double x) { return std::fabs(x) < 0.35 ? small_expm1(x) : exp(x) - 1; }

double hypot(double x, double y) {
  const double larger = std::max(std::fabs(x), std::fabs(y));
  // Powers of two scale without rounding.
  const double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-500 ? 0x1p600 : 1;
  x *= scale;
  y *= scale;
  return std::sqrt(x * x + y * y) / scale;
}

}  // namespace crema::elementary
