#pragma once

#include "core/read/format.hpp"

namespace crema::read {

// One per input format; each is defined in the file named after it. The list that detection walks
// is formats().
extern const Format digest_format;           ///< what Crema keeps of a run for its history
extern const Format metrics_format;          ///< roastcoffea metrics.json, all three schemas
extern const Format start_end_time_format;   ///< start_end_time.txt
extern const Format metadata_format;         ///< metadata.json
extern const Format config_format;           ///< config.json (by its name: it may hold anything)
extern const Format labels_format;           ///< labels.json (by its name)
extern const Format report_format;           ///< coffea's report
extern const Format scheduler_info_format;   ///< Dask's scheduler_info()
extern const Format activities_format;       ///< span metrics, scheduler metrics
extern const Format task_stream_format;      ///< Dask's task stream
extern const Format spans_format;            ///< Dask span objects
extern const Format worker_profiles_format;  ///< {address: {meta, profile}}
extern const Format profile_map_format;      ///< {address or prefix: tree}
extern const Format profile_tree_format;     ///< client.profile()
/// {interval_ms, workers: [{worker, profile: {meta, tree, stacks}}]}
extern const Format notebook_form_format;
extern const Format transitions_format;     ///< how tasks went from state to state
extern const Format recorded_tasks_format;  ///< rows of tasks of crema.record
extern const Format task_index_format;      ///< their index
extern const Format profile_slices_format;  ///< what was sampled when, of crema.record
extern const Format speedscope_format;      ///< speedscope JSON, sampled and evented
extern const Format folded_format;          ///< folded stacks
extern const Format austin_format;          ///< Austin's text
extern const Format memray_table_format;    ///< `memray transform csv`
extern const Format perf_script_format;     ///< what `perf script` prints
extern const Format pprof_format;           ///< pprof's Protobuf
extern const Format pstats_format;          ///< what cProfile writes
extern const Format pyinstrument_format;    ///< `pyinstrument -r json`
extern const Format scalene_format;         ///< Scalene's JSON
extern const Format trace_format;           ///< Chrome's trace events
extern const Format nested_tree_format;     ///< d3-flame-graph's {name, value, children}
extern const Format dask_page_format;       ///< Dask's profile page and performance report (HTML)

}  // namespace crema::read
