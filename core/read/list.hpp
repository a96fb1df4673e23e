#pragma once

#include "core/read/format.hpp"

// The input formats, one a line, most specific first: the first that recognises a file reads it.
// Each is `NAME_format`, in the file that says how it is recognised and which of its values go
// where.
// clang-format off
#define CREMA_FORMATS(each) \
  each(digest) \
  each(metrics) \
  each(speedscope) \
  each(notebook_form) \
  each(profile_slices) \
  each(recorded_tasks) \
  each(task_index) \
  each(transitions) \
  each(worker_profiles) \
  each(profile_tree) \
  each(profile_map) \
  each(report) \
  each(task_stream) \
  each(spans) \
  each(scheduler_info) \
  each(activities) \
  each(metadata) \
  each(start_end_time) \
  each(dask_page) \
  each(transactions_log) \
  each(performance_log) \
  each(job_events) \
  each(debug_log) \
  each(beside_transactions) \
  each(pyinstrument) \
  each(scalene) \
  each(trace) \
  each(pstats) \
  each(pprof) \
  each(austin) \
  each(memray_table) \
  each(perf_script) \
  each(folded) \
  each(nested_tree) \
  each(config) \
  each(labels)
// clang-format on

namespace crema::read {

#define CREMA_DECLARE(name) extern const Format name##_format;
CREMA_FORMATS(CREMA_DECLARE)
#undef CREMA_DECLARE

}  // namespace crema::read
