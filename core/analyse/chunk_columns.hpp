#pragma once

#include <string_view>
#include <vector>

#include "core/model/run.hpp"

namespace crema {

/// The numbers of a column of the `chunks` question, one per chunk; throws Failure (bad_selection) for a column that is not
/// there or not numeric.
std::vector<double> chunk_column(const Run& run, std::string_view name);

/// Lane of each chunk by greedy packing: the lowest lane that is free when it starts. Chunks carry no worker: lanes are
/// inferred (domain.md 3.13). Absent for chunks without times.
std::vector<double> pack_lanes(const Run& run);

/// 1 for a chunk whose seconds per event exceed `outlier_factor` x the median of its dataset, 0 otherwise; absent where there
/// are no events or fewer than `outlier_least` chunks to compare with.
inline constexpr double outlier_factor = 3;
inline constexpr std::size_t outlier_least = 8;
std::vector<double> outliers(const Run& run);

}  // namespace crema
