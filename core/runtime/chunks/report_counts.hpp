#pragma once

#include "core/model/run.hpp"

namespace crema::runtime {

/// Work items coffea submitted (`report["chunks"]`): from the report, the nested schema's own
/// field, or recovered as total_cpu_time / avg_cpu_time_per_chunk (docs/meanings.md, Chunk counts).
/// Absent when none of these is there.
double report_num_chunks(const Run& run);

/// Chunk records, or the stored count when there is no chunk list (no decorator). Absent when
/// neither is there.
double recorded_num_chunks(const Run& run);

/// The share of the events that coffea reports which the chunk list has; absent when either is not
/// known.
double listed_share_of_events(const Run& run);

/// Chunks ran that the list does not have: their events are in coffea's report. Sums over the list
/// are then less than the run's. Chunks that coffea skipped are in neither.
bool chunk_list_is_cut(const Run& run);

/// Chunks submitted that left no record, at least 0. Absent when one of the two counts is, and when
/// the list is cut: what was not read is not lost.
double lost_num_chunks(const Run& run);

/// Totals of the whole run, as coffea reported them: metrics.json's own, else the report's; absent
/// otherwise.
double total_bytes_read(const Run& run);
double total_process_time(const Run& run);  ///< [s], falls back to the sum over chunks
double total_events(const Run& run);        ///< falls back to the sum over chunks

}  // namespace crema::runtime
