#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/compare/speed_ratio.hpp"

namespace crema::compare {

/// What the assumptions weigh against replicates, as degrees of freedom (moderated t: G. K. Smyth,
/// Stat. Appl. Genet. Mol. Biol. 3, 2004).
inline constexpr double assumed_dof = 4;

/// Standard error of mean(b) − mean(a) where one value a run spreads by `assumed` [standard
/// deviation] as long as it was not measured, which is known from `dof`; the result's `dof` is what
/// it is known from.
struct BetweenRuns {
  double error = absent;
  double dof = std::numeric_limits<double>::infinity();
};
BetweenRuns between_runs(std::span<const double> a, std::span<const double> b, double assumed,
                         double dof = assumed_dof);

/// Of several runs a side: each one's speed against the first of A (`others`: the rest of A, then
/// B). The spread of the replicates enters each part's error.
SpeedRatio combine(const std::vector<SpeedRatio>& others, std::size_t runs_of_a);

}  // namespace crema::compare
