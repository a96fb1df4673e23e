#pragma once

#include <vector>

#include "core/compare/speed/speed_cells.hpp"
#include "core/compare/speed_ratio.hpp"

namespace crema::compare {

/// Variance of what follows the speed ratio in its own way: a dataset or a file, and a section.
inline double group_variance(const SpeedRatio& speed) {
  return stats::squared(speed.between_place_spread) + stats::squared(least_error);
}
inline double section_variance(const SpeedRatio& speed) {
  return stats::squared(speed.between_group_spread) + stats::squared(least_error);
}

/// What all work has in common: the factor and its error. `voters` are columns that say what it is.
void find_factor(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                 const std::vector<std::size_t>& voters, double run_spread);

/// Spread of what sections of datasets did against the factor and their dataset, beyond chance: a
/// section that changed alone is not in it, what makes each follow its own way is.
double spread_of_sections(const SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                          const std::vector<std::size_t>& voters);

/// By how much all of a dataset moved against the factor.
double moved(std::size_t dataset, const SpeedRatio& speed, const Cells& cells,
             const CellNoise& noise, const std::vector<std::size_t>& voters);

}  // namespace crema::compare
