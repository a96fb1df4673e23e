#pragma once

#include "core/read/format.hpp"

// The input formats, one a line, most specific first: the first that recognises a file reads it.
// Each is `NAME_format`, in the file that says how it is recognised and which of its values go
// where. Beside its name stand what people call it, whether a second one starts another run, and
// whether it holds something to show on its own.
// clang-format off
#define CREMA_FORMATS(each) \
  each(digest, "digest of a run", true, true) \
  each(metrics, "roastcoffea metrics", true, true) \
  each(speedscope, "a speedscope profile", false, true) \
  each(notebook_form, "the notebook's parsed profiles", false, true) \
  each(profile_slices, "profiles in slices of time", true, false) \
  each(recorded_tasks, "tasks recorded by crema", false, true) \
  each(task_index, "index of recorded tasks", true, false) \
  each(transitions, "states of tasks", true, false) \
  each(worker_profiles, "Dask profiles by worker", false, true) \
  each(profile_tree, "a Dask profile", false, true) \
  each(profile_map, "a map of Dask profiles", false, true) \
  each(report, "coffea report", true, true) \
  each(task_stream, "Dask task stream", true, true) \
  each(spans, "Dask span", true, true) \
  each(scheduler_info, "Dask scheduler info", true, false) \
  each(activities, "fine performance metrics", false, true) \
  each(metadata, "roastcoffea metadata", true, false) \
  each(start_end_time, "start and end time", true, false) \
  each(dask_page, "a page of Dask's dashboard", false, true) \
  each(transactions_log, "transactions of TaskVine or Work Queue", true, true) \
  each(performance_log, "performance of TaskVine or Work Queue", true, true) \
  each(job_events, "job events of HTCondor", false, true) \
  each(debug_log, "debug log of TaskVine", false, false) \
  each(beside_transactions, "what lies beside transactions", false, false) \
  each(pyinstrument, "a profile of pyinstrument", false, true) \
  each(scalene, "a profile of Scalene", false, true) \
  each(trace, "trace events", false, true) \
  each(pstats, "a profile of cProfile", false, true) \
  each(pprof, "a pprof profile", false, true) \
  each(austin, "samples of Austin", false, true) \
  each(memray_table, "allocations of memray", false, true) \
  each(perf_script, "samples of perf", false, true) \
  each(folded, "folded stacks", false, true) \
  each(nested_tree, "a d3-flame-graph tree", false, true) \
  each(config, "configuration", true, false) \
  each(labels, "labels of a run", true, false)
// clang-format on

namespace crema::read {

#define CREMA_DECLARE(name, label, once_per_run, makes_a_run)                         \
  inline constexpr FormatAbout name##_about{#name, label, once_per_run, makes_a_run}; \
  extern const Format name##_format;
CREMA_FORMATS(CREMA_DECLARE)
#undef CREMA_DECLARE

}  // namespace crema::read
