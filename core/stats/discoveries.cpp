#include "core/stats/discoveries.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/elementary.hpp"
#include "core/base/numbers.hpp"

namespace crema::stats {

double chance_of(double errors, double freedom) {
  double z = std::fabs(errors);
  if (std::isfinite(freedom))
    z = std::sqrt(freedom * elementary::log1p(z * z / freedom)) * (8 * freedom + 1) /
        (8 * freedom + 3);
  return is_absent(errors) || !(freedom > 0) ? absent : elementary::erfc(z / std::sqrt(2.0));
}

std::vector<bool> discoveries(const std::vector<double>& chances, double share) {
  const std::vector<double> sorted = sorted_present(chances);
  double limit = -1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double allowed = share * static_cast<double>(i + 1) / static_cast<double>(sorted.size());
    if (sorted[i] <= allowed) limit = sorted[i];
  }
  std::vector<bool> found(chances.size());
  std::transform(chances.begin(), chances.end(), found.begin(),
                 [&](double chance) { return chance <= limit; });
  return found;
}

}  // namespace crema::stats
