#pragma once

#include <span>
#include <vector>

namespace crema::facts {

inline double squared(double x) { return x * x; }

/// Standard deviation of a Gaussian in units of its median absolute deviation.
inline constexpr double gaussian_spread = 1.4826;

/// Variance of a median / variance of a mean, of a Gaussian: π/2.
inline constexpr double of_a_median = 1.57;

/// Standard deviation with what lies more than three robust spreads away pulled in.
double robust_spread(const std::vector<double>& residuals);

/// The value around which most of `values` lie, each with its error, where 0 ± `spread` is what is
/// expected of it: of the values and 0, the one of least cost under Cauchy's law, then refined by
/// the values alone. A minority that moved elsewhere does not move it.
double common_value(std::span<const double> values, std::span<const double> errors, double spread);

}  // namespace crema::facts
