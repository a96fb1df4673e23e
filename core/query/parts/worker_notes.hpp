#pragma once

#include <span>

#include "core/model/run.hpp"
#include "core/model/selection.hpp"
#include "core/table/table.hpp"

namespace crema::query {

/// What is said beside every answer made of the workers' series at ticks: why there is none, what
/// the selection does not narrow, and where the run ends.
void note_worker_series(Table& table, const Run& run, const Selection& selection);

/// A note: `time_mean` (core/runtime/cluster/sampling.hpp) of `values`, the first of which is of
/// tick `first`, over the selected time, or the whole run.
void note_time_mean(Table& table, const char* name, const Run& run, const Selection& selection,
                    std::size_t first, std::span<const double> values);

}  // namespace crema::query
