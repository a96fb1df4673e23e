#include "core/model/stored_names.hpp"

#include <algorithm>
#include <array>

#include "core/base/collect.hpp"

namespace crema {

namespace {

struct Alias {
  std::string_view key;
  std::string_view id;
  double factor;
};

constexpr std::array<Alias, 14> flat_aliases = {{
    {"overall_rate_gbps", "data_rate_gbps", 1},
    {"overall_rate_mbps", "data_rate_mb_per_s", 1},
    {"event_rate_wall_khz", "event_rate_elapsed_khz", 1},
    {"event_rate_agg_khz", "event_rate_cpu_total_khz", 1},
    {"event_rate_core_hz", "event_rate_core_khz", 1e-3},
    {"wall_time", "elapsed_time_seconds", 1},
    {"total_bytes_read_coffea", "total_bytes_read", 1},
    {"total_bytes_memory_read_dask", "total_bytes_memory_read", 1},
    {"processor_noncpu_time_seconds", "processor_io_wait_time_seconds", 1},
    {"processor_cpu_percentage", "processor_cpu_percent", 1},
    {"processor_noncpu_percentage", "processor_io_wait_percent", 1},
    {"overhead_noncpu_time_seconds", "overhead_io_wait_time_seconds", 1},
    {"cpu_time_seconds", "processor_cpu_time_seconds", 1},
    {"io_time_seconds", "processor_io_wait_time_seconds", 1},
}};

constexpr std::array<Alias, 49> nested_aliases = {{
    {"throughput.data_rate_gbps", "data_rate_gbps", 1},
    {"throughput.data_rate_mbps", "data_rate_mb_per_s", 1},
    {"throughput.bytes_read", "total_bytes_read", 1},
    {"throughput.bytes_read_spans", "total_bytes_memory_read", 1},
    {"events.total", "total_events", 1},
    {"events.rate_wall_khz", "event_rate_elapsed_khz", 1},
    {"events.rate_cpu_khz", "event_rate_cpu_total_khz", 1},
    {"events.rate_core_khz", "event_rate_core_khz", 1},
    {"resources.workers_avg", "avg_workers", 1},
    {"resources.workers_peak", "peak_workers", 1},
    {"resources.cores_per_worker", "cores_per_worker", 1},
    {"resources.cores_total", "total_cores", 1},
    {"resources.memory_peak_bytes", "peak_memory_bytes", 1},
    {"resources.memory_avg_bytes", "avg_memory_per_worker_bytes", 1},
    {"timing.wall_seconds", "elapsed_time_seconds", 1},
    {"timing.cpu_seconds", "total_cpu_time", 1},
    // The report's count: 0.1.2 overwrites it with the number of chunk records, which is
    // chunks.num_chunks here.
    {"timing.num_chunks", "report_num_chunks", 1},
    {"timing.avg_chunk_seconds", "avg_cpu_time_per_chunk", 1},
    {"efficiency.core_efficiency", "core_efficiency", 1},
    {"efficiency.speedup", "speedup_factor", 1},
    {"fine.processor_cpu_seconds", "processor_cpu_time_seconds", 1},
    {"fine.processor_io_seconds", "processor_io_wait_time_seconds", 1},
    {"fine.processor_cpu_percent", "processor_cpu_percent", 1},
    {"fine.processor_io_percent", "processor_io_wait_percent", 1},
    {"fine.overhead_cpu_seconds", "overhead_cpu_time_seconds", 1},
    {"fine.overhead_io_seconds", "overhead_io_wait_time_seconds", 1},
    {"fine.disk_read_bytes", "disk_read_bytes", 1},
    {"fine.disk_write_bytes", "disk_write_bytes", 1},
    {"fine.compression_seconds", "compression_time_seconds", 1},
    {"fine.decompression_seconds", "decompression_time_seconds", 1},
    {"fine.serialization_seconds", "serialization_time_seconds", 1},
    {"fine.deserialization_seconds", "deserialization_time_seconds", 1},
    {"data_access.total_branches_read", "total_branches_read", 1},
    {"data_access.avg_branches_read_percent", "avg_branches_read_percent", 1},
    {"data_access.avg_bytes_read_percent", "avg_bytes_read_percent", 1},
    {"chunks.num_chunks", "num_chunks", 1},
    {"chunks.num_successful", "num_successful_chunks", 1},
    {"chunks.num_failed", "num_failed_chunks", 1},
    {"chunks.duration_mean", "chunk_duration_mean", 1},
    {"chunks.duration_min", "chunk_duration_min", 1},
    {"chunks.duration_max", "chunk_duration_max", 1},
    {"chunks.duration_std", "chunk_duration_std", 1},
    {"chunks.mem_delta_mean_mb", "chunk_mem_delta_mean_mb", 1},
    {"chunks.mem_delta_min_mb", "chunk_mem_delta_min_mb", 1},
    {"chunks.mem_delta_max_mb", "chunk_mem_delta_max_mb", 1},
    {"chunks.mem_delta_std_mb", "chunk_mem_delta_std_mb", 1},
    {"chunks.events_mean", "chunk_events_mean", 1},
    {"chunks.events_min", "chunk_events_min", 1},
    {"chunks.events_max", "chunk_events_max", 1},
}};

/// Numbers of 0.1.2 that no other schema has under a name of its own.
constexpr std::array<std::string_view, 3> without_alias = {"total_compression_overhead_seconds",
                                                           "total_serialization_overhead_seconds",
                                                           "total_events_from_chunks"};

template <class Aliases>
const Alias* find(const Aliases& aliases, std::string_view key) {
  return first_where(aliases, [&](const Alias& a) { return a.key == key; });
}

}  // namespace

StoredName flat_name(std::string_view key) {
  const Alias* alias = find(flat_aliases, key);
  return alias == nullptr ? StoredName{key, 1, false} : StoredName{alias->id, alias->factor, true};
}

bool is_stored_number(std::string_view id) {
  const auto is_it = [&](const Alias& alias) { return alias.id == id; };
  return any_of(flat_aliases, is_it) || any_of(nested_aliases, is_it) ||
         contains(without_alias, id);
}

StoredName nested_name(std::string_view path) {
  const Alias* alias = find(nested_aliases, path);
  return alias == nullptr ? StoredName{path, 1, false}
                          : StoredName{alias->id, alias->factor, false};
}

}  // namespace crema
