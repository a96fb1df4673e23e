#pragma once

#include <span>

#include "core/base/numbers.hpp"

namespace crema::stats {

/// y = fixed + slope · x by Theil and Sen: the slope is the median of the slopes of pairs, the
/// fixed part the median of y − slope · x; outliers up to 29 % do not move it (P. K. Sen, J. Am.
/// Stat. Assoc. 63, 1968). Above `fit_most` points an evenly spaced choice of them is used. Absent
/// with fewer than `fit_least` points or without two different x.
struct Line {
  double fixed = absent;
  double slope = absent;
};
inline constexpr std::size_t fit_least = 8;
inline constexpr std::size_t fit_most = 500;
/// The same line and its uncertainty: the slopes that bound it with about 95 % confidence (Sen's
/// interval from the variance of Kendall's statistic), each with its fixed part. Absent when the
/// line is.
struct LineRange {
  Line line, flat, steep;
};
LineRange robust_line_range(std::span<const double> x, std::span<const double> y);
inline Line robust_line(std::span<const double> x, std::span<const double> y) {
  return robust_line_range(x, y).line;
}

}  // namespace crema::stats
