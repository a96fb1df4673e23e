#pragma once

namespace crema::runtime::missing {

// The note "missing": what was not recorded, and how to record it. One sentence for all questions
// that need the same part.
inline constexpr const char* chunks =
    "chunks were not recorded; decorate process() with @track_metrics to record them";
inline constexpr const char* tracking =
    "worker tracking was not recorded; MetricsCollector(..., track_workers=True) records it";
inline constexpr const char* file_metadata =
    "file metadata was not recorded: @track_metrics of roastcoffea 0.1.1 and later records it for "
    "TTree input";
inline constexpr const char* fine_metrics =
    "fine performance metrics were not recorded; roastcoffea 0.1.0 and later write them as "
    "raw_span_metrics";

}  // namespace crema::runtime::missing
