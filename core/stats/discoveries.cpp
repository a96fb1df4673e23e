#include "core/stats/discoveries.hpp"

#include <algorithm>

#include "core/base/numbers.hpp"

namespace crema::stats {

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
