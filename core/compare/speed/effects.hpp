#pragma once

#include <vector>

#include "core/compare/speed/speed_cells.hpp"
#include "core/compare/speed_ratio.hpp"

// What changed against the common factor, part by part. Each adds its effects to the speed ratio,
// whose factor is known by then.

namespace crema::compare {

/// Datasets, what they did evenly, sections, and sections of datasets.
void add_datasets_and_sections(SpeedRatio& speed, const Cells& cells, const CellNoise& noise,
                               const std::vector<std::size_t>& voters);

void add_files_and_hosts(SpeedRatio& speed, const Cells& cells, const CellNoise& noise);

/// Workers ran parts of all that there is: what they have in common is their own agreement, not
/// that of cells, in which all of them are.
void add_workers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise, double run_spread);

/// Single chunks that took far more than their like: no noise of a sum, and no change of it.
void add_stragglers(SpeedRatio& speed, const Cells& cells, const CellNoise& noise);

}  // namespace crema::compare
