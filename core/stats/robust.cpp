#include "core/stats/robust.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/numbers.hpp"
#include "core/stats/fit.hpp"

namespace crema::stats {

namespace {

constexpr double vote_width = 2.5;       // of errors: about all of a Gaussian
constexpr double tie_share = 0.2;        // of the votes, that a value far from 0 must have more
constexpr std::size_t most_tried = 200;  // values that are tried; above that an even choice of them
constexpr std::size_t block = 5;         // residuals whose mean is looked at
constexpr double assumed_blocks = 8;
constexpr double assumed_most = 2;  // what the assumption weighs: eight blocks of a long series

double fourth(double x) { return squared(squared(x)); }

}  // namespace

double robust_spread(const std::vector<double>& residuals) {
  std::vector<double> sizes(residuals.size());
  std::transform(residuals.begin(), residuals.end(), sizes.begin(),
                 [](double r) { return std::fabs(r); });
  return robust_spread_of_sizes(sizes, median_of(sizes));
}

double robust_spread_of_sizes(std::span<const double> sizes, double median) {
  if (sizes.size() < 2) return 0;
  const double limit = 3 * gaussian_spread * median;
  double sum = 0;
  for (const double size : sizes) sum += squared(limit > 0 ? std::min(size, limit) : size);
  return std::sqrt(sum / static_cast<double>(sizes.size() - 1));
}

RobustMode robust_mode(std::span<const double> values, std::span<const double> errors,
                       double spread, double between_group_spread) {
  if (values.empty()) return {absent, absent};
  const auto width = [&](std::size_t i, double at) {
    // as far from one to the other as back
    const double far = std::max(std::fabs(values[i]), std::fabs(at));
    return vote_width * elementary::hypot(errors[i], between_group_spread * far);
  };
  // Flat where a value agrees, so that chance within a group decides nothing between groups.
  const auto against = [&](std::size_t i, double at) {
    const double r = fourth((values[i] - at) / width(i, at));
    return r / (1 + r);
  };
  const auto votes = static_cast<double>(values.size());
  const auto cost = [&](double at) {
    const double far = std::fabs(at);
    double sum = far > 0 ? tie_share * votes * far / (far + spread) : 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += against(i, at);
    return sum;
  };
  const std::vector<double> sorted = sorted_present(values);
  const std::size_t step = 1 + (sorted.size() - 1) / most_tried;
  double best = 0;
  double least = cost(0);
  for (std::size_t i = 0; i < sorted.size(); i += step) {
    if (const double c = cost(sorted[i]); c < least) {
      least = c;
      best = sorted[i];
    }
  }
  double squares = 0;
  double agreeing = 0;
  for (int round = 0; round < 20; ++round) {
    double weights = 0;
    double sum = 0;
    squares = agreeing = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double trust = 1 - against(i, best);
      const double weight = squared(trust / width(i, best));
      weights += weight;
      sum += weight * values[i];
      squares += trust * squared(values[i] - best);
      agreeing += trust;
    }
    if (!(agreeing > 0.5)) break;
    best = sum / weights;
  }
  return {best, std::sqrt(squares) / std::max(agreeing, 1.0)};
}

void Autocorrelation::add(const std::vector<double>& series, double spread) {
  const std::size_t many = series.size() / block;
  if (many < 2 || !(spread > 0)) return;
  double squares = 0;
  std::vector<double> means;
  for (std::size_t i = 0; i < many; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < block; ++k)
      sum += std::clamp(series[i * block + k], -3 * spread, 3 * spread);
    means.push_back(sum / block);
  }
  const double all = moments(means).mean;
  for (const double mean : means) squares += squared(mean - all);
  const auto n = static_cast<double>(many);
  // of a spread of 1, the variance of block means: 1 / block where all are drawn anew, and what the
  // octaves above a block are of all octaves where noise has equal power in each
  const double anew = 1.0 / block;
  const double lasts = elementary::log(n) / elementary::log(n * block);
  const double variance = squares / (n - 1) / squared(spread);
  found_ += (n - 1) * (variance - anew);
  most_ += (n - 1) * (lasts - anew);
  blocks_ += n - 1;
}

double Autocorrelation::share() const {
  return std::clamp((assumed_most + found_) / (assumed_most + most_), 0.0, 1.0);
}

double Autocorrelation::dof() const { return assumed_blocks + blocks_; }

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
