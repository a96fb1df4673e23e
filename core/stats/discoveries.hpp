#pragma once

#include <vector>

namespace crema::stats {

/// Of what is called different, so much may be chance: the share of false discoveries over all rows
/// of a comparison.
inline constexpr double false_discoveries = 0.05;

/// Which of many differences are discoveries, so that at most `share` of them are false on average
/// (Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57, 1995). An absent chance is none, and counts
/// not among the many.
std::vector<bool> discoveries(const std::vector<double>& chances, double share = false_discoveries);

}  // namespace crema::stats
