#pragma once

#include "core/model/run.hpp"

namespace crema::facts {

/// Work items coffea submitted (`report["chunks"]`): from the report, the nested schema's own
/// field, or recovered as total_cpu_time / avg_cpu_time_per_chunk (domain.md 3.3). Absent when none
/// of these is there.
double report_num_chunks(const Run& run);

/// Chunk records, or the stored count when there is no chunk list (no decorator). Absent when
/// neither is there.
double recorded_num_chunks(const Run& run);

/// Chunks submitted that left no record, at least 0. Absent when one of the two counts is, and when
/// metrics.json is cut off or broken: what was not read is not lost.
double lost_num_chunks(const Run& run);

/// Totals of the whole run, as coffea reported them: metrics.json's own, else the report's; absent
/// otherwise.
double total_bytes_read(const Run& run);
double total_process_time(const Run& run);  ///< [s], falls back to the sum over chunks
double total_events(const Run& run);        ///< falls back to the sum over chunks

}  // namespace crema::facts
