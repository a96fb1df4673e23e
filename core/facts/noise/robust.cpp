#include "core/facts/noise/robust.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/numbers.hpp"

namespace crema::facts {

double robust_spread(const std::vector<double>& residuals) {
  std::vector<double> sizes(residuals.size());
  std::transform(residuals.begin(), residuals.end(), sizes.begin(),
                 [](double r) { return std::fabs(r); });
  if (sizes.size() < 2) return 0;
  const double limit = 3 * gaussian_spread * median_of(sizes);
  double sum = 0;
  for (const double size : sizes) sum += squared(limit > 0 ? std::min(size, limit) : size);
  return std::sqrt(sum / static_cast<double>(sizes.size() - 1));
}

double common_value(std::span<const double> values, std::span<const double> errors, double spread) {
  if (values.empty()) return absent;
  const auto cost = [&](double at) {
    double sum = spread > 0 ? squared(at / spread) / 2 : at == 0 ? 0 : 1e9;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += elementary::log1p(squared((values[i] - at) / errors[i]));
    return sum;
  };
  double best = 0;
  for (const double value : values) {
    if (cost(value) < cost(best)) best = value;
  }
  for (int step = 0; step < 20; ++step) {
    double weights = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double weight = 2 / (squared(errors[i]) + squared(values[i] - best));
      weights += weight;
      sum += weight * values[i];
    }
    best = sum / weights;
  }
  return best;
}

}  // namespace crema::facts
