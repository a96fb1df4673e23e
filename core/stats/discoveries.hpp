#pragma once

#include <limits>
#include <vector>

namespace crema::stats {

/// Of what is called different, so much may be chance: the share of false discoveries over all rows
/// of a comparison.
inline constexpr double false_discoveries = 0.05;

/// How often chance alone gives a difference of `errors` standard errors or more, either way, where
/// the error itself is known from `freedom` degrees of freedom (infinite: it is known). Student's t
/// by its nearest normal deviate (D. L. Wallace, Ann. Math. Stat. 30, 1959). Absent for absent.
double chance_of(double errors, double freedom = std::numeric_limits<double>::infinity());

/// Which of many differences are discoveries, so that at most `share` of them are false on average
/// (Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57, 1995). An absent chance is none, and counts
/// not among the many.
std::vector<bool> discoveries(const std::vector<double>& chances, double share = false_discoveries);

}  // namespace crema::stats
