#include "core/stats/benjamini_hochberg.hpp"

#include <algorithm>

#include "core/base/numbers.hpp"

namespace crema::stats {

std::vector<bool> benjamini_hochberg(const std::vector<double>& p_values, double share) {
  const std::vector<double> sorted = sorted_present(p_values);
  double limit = -1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double allowed = share * static_cast<double>(i + 1) / static_cast<double>(sorted.size());
    if (sorted[i] <= allowed) limit = sorted[i];
  }
  std::vector<bool> found(p_values.size());
  std::transform(p_values.begin(), p_values.end(), found.begin(),
                 [&](double p_value) { return p_value <= limit; });
  return found;
}

}  // namespace crema::stats
