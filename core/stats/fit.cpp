#include "core/stats/fit.hpp"

#include <algorithm>
#include <cmath>

namespace crema::stats {

namespace {

/// Indices of the points that count: all present ones, or an evenly spaced choice of them.
std::vector<std::size_t> chosen_points(std::span<const double> x, std::span<const double> y) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_absent(x[i]) && !is_absent(y[i])) points.push_back(i);
  }
  if (points.size() <= fit_most) return points;
  std::vector<std::size_t> some(fit_most);
  for (std::size_t i = 0; i < fit_most; ++i) some[i] = points[i * points.size() / fit_most];
  return some;
}

std::vector<double> pair_slopes(std::span<const double> x, std::span<const double> y,
                                const std::vector<std::size_t>& points) {
  std::vector<double> slopes;
  slopes.reserve(points.size() * points.size() / 2);
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      const double run = x[points[b]] - x[points[a]];
      if (run != 0) slopes.push_back((y[points[b]] - y[points[a]]) / run);
    }
  }
  return slopes;
}

Line line_of(double slope, std::span<const double> x, std::span<const double> y,
             const std::vector<std::size_t>& points) {
  std::vector<double> rests;
  rests.reserve(points.size());
  for (const std::size_t i : points) rests.push_back(y[i] - slope * x[i]);
  return {quantile_of(rests, 0.5), slope};
}

}  // namespace

Line robust_line(std::span<const double> x, std::span<const double> y) {
  const std::vector<std::size_t> points = chosen_points(x, y);
  if (points.size() < fit_least) return {};
  std::vector<double> slopes = pair_slopes(x, y, points);
  if (slopes.empty()) return {};
  return line_of(quantile_of(slopes, 0.5), x, y, points);
}

LineRange robust_line_range(std::span<const double> x, std::span<const double> y) {
  const std::vector<std::size_t> points = chosen_points(x, y);
  if (points.size() < fit_least) return {};
  std::vector<double> slopes = pair_slopes(x, y, points);
  if (slopes.empty()) return {};
  LineRange range;
  range.line = line_of(quantile_of(slopes, 0.5), x, y, points);
  const auto n = static_cast<double>(points.size());
  const double spread = 1.96 * std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  const auto count = static_cast<double>(slopes.size());
  const auto rank = static_cast<std::size_t>(std::max(0.0, std::floor((count - spread) / 2)));
  const auto at = [&](std::size_t place) {
    const auto element = slopes.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(slopes.begin(), element, slopes.end());
    return *element;
  };
  range.flat = line_of(at(rank), x, y, points);
  range.steep = line_of(at(slopes.size() - 1 - rank), x, y, points);
  return range;
}

}  // namespace crema::stats
