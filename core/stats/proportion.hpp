#pragma once

#include <algorithm>
#include <cmath>

namespace crema::stats {

/// A share of which `count` of `all` were seen: between these, each missed by 5 of 100 at most
/// (E. B. Wilson's interval with continuity correction: R. G. Newcombe, Stat. Med. 17, 1998).
struct ShareRange {
  double low = 0, high = 1;
};
inline ShareRange share_range(double count, double all) {
  constexpr double z = 1.645;
  if (!(all > 0)) return {};
  const double p = count / all, between = z * z - 1 / all + 4 * all * p * (1 - p);
  const double middle = 2 * count + z * z, width = 2 * (all + z * z);
  const double below = z * std::sqrt(std::max(0.0, between + 4 * p - 2)) + 1;
  const double above = z * std::sqrt(std::max(0.0, between - 4 * p + 2)) + 1;
  return {count == 0 ? 0 : std::max(0.0, (middle - below) / width),
          count == all ? 1 : std::min(1.0, (middle + above) / width)};
}

}  // namespace crema::stats
