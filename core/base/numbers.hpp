#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace crema {

/// The one mark for "not recorded" in columns of numbers. Missing is never zero.
inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

inline bool is_absent(double value) { return std::isnan(value); }

/// `value`, or `fallback` where it is absent.
inline double value_or(double value, double fallback) {
  return is_absent(value) ? fallback : value;
}

/// a / b, absent when either is absent or b is 0.
inline double ratio(double a, double b) { return b == 0 ? absent : a / b; }

/// Sum, mean, extremes and spread of numbers; absent ones are left out. All but `count` and `sum`
/// are absent when count is 0.
struct Moments {
  std::size_t count = 0;
  double sum = 0;
  double mean = absent;
  double min = absent;
  double max = absent;
  /// Sample standard deviation (n − 1); absent for a single number, which has none.
  double std = absent;
};
Moments moments(std::span<const double> values);

/// The same of numbers as they come.
struct Running {
  std::size_t count = 0;
  double sum = 0, min = absent, max = absent;

  void add(double value) {
    if (is_absent(value)) return;
    ++count;
    sum += value;
    // also true while they are absent
    if (!(min <= value)) min = value;
    if (!(max >= value)) max = value;
  }
  double mean() const { return count == 0 ? absent : sum / static_cast<double>(count); }
  double total() const { return count == 0 ? absent : sum; }
};

/// Quantile q in [0, 1] of `sorted` (ascending, no absent values) by linear interpolation between
/// closest ranks; absent when empty.
double quantile(std::span<const double> sorted, double q);

/// The same of unsorted values, which it reorders. None may be absent.
double quantile_of(std::span<double> values, double q);

/// The median of the present values; absent when there are none.
double median_of(std::vector<double> values);

/// Sets into[i] = values[at[i]]; reuses into's capacity.
void gather(std::span<const double> values, std::span<const std::uint32_t> at,
            std::vector<double>& into);

/// The present values in ascending order.
std::vector<double> sorted_present(std::span<const double> values);

}  // namespace crema
