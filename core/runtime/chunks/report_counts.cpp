#include "core/runtime/chunks/report_counts.hpp"

#include <algorithm>
#include <cmath>

namespace crema::runtime {

namespace {

double first_present(std::initializer_list<double> candidates) {
  for (const double value : candidates) {
    if (!is_absent(value)) return value;
  }
  return absent;
}

// Counters of events agree to the event where all chunks are there; below this some are not.
constexpr double whole_list_share = 0.99;

double sum_present(const std::vector<double>& values) {
  const Moments m = moments(values);
  return m.count == 0 ? absent : m.sum;
}

}  // namespace

double report_num_chunks(const Run& run) {
  const double per_chunk = run.stored_value("avg_cpu_time_per_chunk");
  const double recovered = std::round(ratio(run.stored_value("total_cpu_time"), per_chunk));
  // Without a chunk list the stored count was not overwritten.
  const double stored = run.chunks_recorded ? absent : run.stored_value("num_chunks");
  return first_present(
      {run.report.chunks, run.stored_value("report_num_chunks"), stored, recovered});
}

double recorded_num_chunks(const Run& run) {
  return run.chunks_recorded ? static_cast<double>(run.chunks.size())
                             : run.stored_value("num_chunks");
}

double listed_share_of_events(const Run& run) {
  if (!run.chunks_recorded) return absent;
  return ratio(sum_present(run.chunks.events),
               first_present({run.stored_value("total_events"), run.report.events}));
}

bool chunk_list_is_cut(const Run& run) {
  if (!run.chunks_recorded) return false;
  if (const double share = listed_share_of_events(run); !is_absent(share))
    return share < whole_list_share;
  return std::any_of(run.data_notes.begin(), run.data_notes.end(), [&](const DataNote& note) {
    if (note.id != "cut-off" && note.id != "broken-json" && note.id != "unreadable") return false;
    return std::any_of(run.sources.begin(), run.sources.end(), [&](const Source& source) {
      return source.path == note.file && source.format == "metrics";
    });
  });
}

double lost_num_chunks(const Run& run) {
  if (!run.chunks_recorded || chunk_list_is_cut(run)) return absent;
  const double difference = report_num_chunks(run) - static_cast<double>(run.chunks.size());
  return difference < 0 ? 0 : difference;
}

double total_bytes_read(const Run& run) {
  return first_present({run.stored_value("total_bytes_read"), run.report.bytes_read});
}

double total_process_time(const Run& run) {
  return first_present({run.stored_value("total_cpu_time"), run.report.process_time,
                        sum_present(run.chunks.duration)});
}

double total_events(const Run& run) {
  return first_present(
      {run.stored_value("total_events"), run.report.events, sum_present(run.chunks.events)});
}

}  // namespace crema::runtime
