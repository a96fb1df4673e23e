#pragma once

#include <stdexcept>
#include <string>

namespace crema::test {

/// A metrics.json that a reader can check by hand: 4 s, two workers, three ticks, two chunks. The
/// scheduler's clock is UTC; 10:00:00 is 1795255200.
///
///     t [s]      0     1     2     3     4
///     worker a   2 threads, limit 1000 byte          memory 100, 200, 300
///     worker b   1 thread, limit 500, leaves after 1 memory 400, 400
///     chunk 0       0.5 ─────── 2.5                  dataset x, 1000 events, 3 MB
///     chunk 1          1 ─────────────── 4           dataset y, 2000 events, 4 MB
///
/// Core-seconds: (2 + 1) x 1 + (2 + 1) x 1 + 2 x 2 = 10. Inside process(): 2 + 3 = 5. Tasks: P 6 s,
/// lambda 1 s.
inline std::string small_metrics() {
  return R"json({
 "elapsed_time_seconds": 4.0, "total_events": 3000, "total_bytes_read": 8000000, "total_cpu_time": 5.0,
 "num_chunks": 2, "avg_cpu_time_per_chunk": 2.5, "total_cores": 3.0, "processor_cpu_time_seconds": 4.0,
 "tracking_data": {
  "worker_counts": {"2026-11-21T10:00:00": 2, "2026-11-21T10:00:01": 2, "2026-11-21T10:00:02": 1},
  "worker_memory": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 100], ["2026-11-21T10:00:01", 200], ["2026-11-21T10:00:02", 300]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 400], ["2026-11-21T10:00:01", 400]]},
  "worker_memory_limit": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 1000], ["2026-11-21T10:00:01", 1000], ["2026-11-21T10:00:02", 1000]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 500], ["2026-11-21T10:00:01", 500]]},
  "worker_active_tasks": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 0], ["2026-11-21T10:00:01", 2], ["2026-11-21T10:00:02", 4]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", 1]]},
  "worker_cores": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 2], ["2026-11-21T10:00:01", 2], ["2026-11-21T10:00:02", 2]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", 1]]},
  "worker_executing": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 0], ["2026-11-21T10:00:01", 1], ["2026-11-21T10:00:02", 2]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 1], ["2026-11-21T10:00:01", 1]]},
  "worker_nbytes": {"tcp://10.0.0.1:1001": [["2026-11-21T10:00:01", 10]], "tcp://10.0.0.2:1002": [["2026-11-21T10:00:01", 20]]},
  "worker_occupancy": {"tcp://10.0.0.1:1001": [["2026-11-21T10:00:01", 1.5]], "tcp://10.0.0.2:1002": [["2026-11-21T10:00:01", 0.5]]},
  "worker_last_seen": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 1795255199.75], ["2026-11-21T10:00:01", 1795255200.5], ["2026-11-21T10:00:02", 1795255201.5]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 1795255199.5], ["2026-11-21T10:00:01", 1795255200.75]]},
  "worker_cpu": {
   "tcp://10.0.0.1:1001": [["2026-11-21T10:00:00", 0.0], ["2026-11-21T10:00:01", 100.0], ["2026-11-21T10:00:02", 200.0]],
   "tcp://10.0.0.2:1002": [["2026-11-21T10:00:00", 50.0], ["2026-11-21T10:00:01", 100.0]]}},
 "raw_chunk_metrics": [
  {"t_start": 1795255200.5, "t_end": 1795255202.5, "duration": 2.0, "mem_before_mb": 100.0, "mem_after_mb": 101.0,
   "mem_delta_mb": 1.0, "bytes_read": 3000000, "timestamp": 1795255202.5, "num_events": 1000, "dataset": "x",
   "file": "root://eos.example:1094//x.root", "uuid": null, "entry_start": 0, "entry_stop": 1000,
   "accessed_branches": ["pt", "eta"], "num_branches_accessed": 2, "timing": {"load": 0.5, "fill": 1.0},
   "memory": {"load": 2.0}, "bytes": {"load": 3000000}},
  {"t_start": 1795255201.0, "t_end": 1795255204.0, "duration": 3.0, "mem_before_mb": 101.0, "mem_after_mb": 98.0,
   "mem_delta_mb": -3.0, "bytes_read": 4000000, "timestamp": 1795255204.0, "num_events": 2000, "dataset": "y",
   "file": "/data/y.root", "uuid": null, "entry_start": 0, "entry_stop": 2000,
   "accessed_branches": ["pt", "phi"], "num_branches_accessed": 2, "timing": {"load": 1.0, "fill": 1.5},
   "memory": {"load": 0.0}, "bytes": {"load": 4000000}}],
 "raw_span_metrics": {
  "('execute', 'lambda', 'thread-cpu', 'seconds')": 1.0,
  "('execute', 'P', 'thread-cpu', 'seconds')": 4.0,
  "('execute', 'P', 'thread-noncpu', 'seconds')": 2.0,
  "('execute', 'P', 'memory-read', 'count')": 2,
  "('execute', 'P', 'memory-read', 'bytes')": 500,
  "('execute', 'N/A', 'idle or other spans', 'seconds')": 2.5}
})json";
}

/// `text` with the one occurrence of `from` replaced; throws when it does not occur exactly once,
/// so that no test is idle.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::runtime_error("'" + from + "' does not occur once");
  return text.replace(at, from.size(), to);
}

/// The value of a key of `small_metrics` (to the matching bracket) replaced by null.
inline std::string without(const std::string& text, const std::string& key) {
  const auto at = text.find("\"" + key + "\":");
  if (at == std::string::npos) throw std::runtime_error("no " + key);
  const auto begin = text.find_first_not_of(' ', at + key.size() + 3);
  std::size_t end = begin;
  int open = 0;
  do {
    if (text[end] == '{' || text[end] == '[') ++open;
    if (text[end] == '}' || text[end] == ']') --open;
    ++end;
  } while (open > 0 || (text[end] != ',' && text[end] != '\n' && text[end] != '}'));
  return text.substr(0, begin) + "null" + text.substr(end);
}

}  // namespace crema::test
