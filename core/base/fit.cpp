#include "core/base/fit.hpp"

#include <algorithm>

namespace crema {

namespace {

double median(std::vector<double>& values) {
  // As quantile(sorted, 0.5), without sorting half a million slopes.
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  const double lower = *std::max_element(values.begin(), upper);
  return lower + (*upper - lower) * 0.5;
}

}  // namespace

Line robust_line(std::span<const double> x, std::span<const double> y) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!is_absent(x[i]) && !is_absent(y[i])) points.push_back(i);
  }
  if (points.size() < fit_least) return {};
  if (points.size() > fit_most) {
    std::vector<std::size_t> some(fit_most);
    for (std::size_t i = 0; i < fit_most; ++i) some[i] = points[i * points.size() / fit_most];
    points = std::move(some);
  }
  std::vector<double> slopes;
  slopes.reserve(points.size() * points.size() / 2);
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      const double run = x[points[b]] - x[points[a]];
      if (run != 0) slopes.push_back((y[points[b]] - y[points[a]]) / run);
    }
  }
  if (slopes.empty()) return {};
  Line line;
  line.slope = median(slopes);
  std::vector<double> rests;
  for (const std::size_t i : points) rests.push_back(y[i] - line.slope * x[i]);
  line.fixed = median(rests);
  return line;
}

}  // namespace crema
