/**
 * Where a server lists no folder: the names that roastcoffea, Dask and the recording cells give.
 */
export const companions = [
  'start_end_time.txt',
  'metadata.json',
  'config.json',
  'dask_profiles.json',
  'dask_profiles.json.gz',
  'profile_merged.json',
  'profile_merged.json.gz',
  'profile_by_key.json',
  'profile_by_key.json.gz',
  'profile_server.json',
  'profile_server.json.gz',
  'profile_slices.json.gz',
  'profile_scheduler.json',
  'profile_scheduler.json.gz',
  'report.json',
  'scheduler_info.json',
  'span_metrics.json',
  'span_object.json',
  'span_object.json.gz',
  'task_stream.json',
  'task_stream.json.gz',
  'transitions.json.gz',
];
