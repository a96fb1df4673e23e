#pragma once

#include <vector>

namespace crema::stats {

/// Of what is called different, so much may be chance: the share of false discoveries over all rows
/// of a comparison.
inline constexpr double false_discovery_rate = 0.05;

/// Which of many differences are discoveries, so that at most `share` of them are false on average
/// (Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57, 1995). An absent p-value is none, and counts
/// not among the many.
std::vector<bool> benjamini_hochberg(const std::vector<double>& p_values,
                                     double share = false_discovery_rate);

}  // namespace crema::stats
