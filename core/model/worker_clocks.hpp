#pragma once

#include <vector>

#include "core/model/run.hpp"

namespace crema {

/// Chunks carry the time of their worker's clock; Dask's own times are corrected for it. Where a
/// task stream tells which worker ran which chunk, the chunks of a worker whose clock is off are
/// put right, with a data note "worker-clock". Where chunks lie outside the run, or in no task, and
/// nothing tells by how much, `chunks.placed` becomes false, with a data note. Times must be on the
/// run axis.
void settle_worker_clocks(Run& run);

/// The worker that ran each chunk, by the task that contains it; no_string where none does. Empty
/// where no task stream tells. Clocks must be settled.
std::vector<StringId> workers_of_chunks(const Run& run);

/// Removes repeated records of a chunk (same file, entries and times) but the first, with a data
/// note "duplicate-chunks": a chunk runs once at a time.
void drop_duplicate_chunks(Run& run);

}  // namespace crema
