import type { Fact } from '../../domain/facts';

export interface FactGroup {
  id: string;
  title: string;
  facts: Fact[];
}

/**
 * The six tables that roastcoffea prints, by id: its own numbers first, ours that explain them
 * behind.
 */
const groups: { id: string; title: string; ids: string[] }[] = [
  {
    id: 'throughput',
    title: 'Throughput',
    ids: ['data_rate_gbps', 'data_rate_mb_per_s', 'total_bytes_read', 'total_bytes_memory_read'],
  },
  {
    id: 'events',
    title: 'Event processing',
    ids: [
      'total_events',
      'event_rate_elapsed_khz',
      'event_rate_cpu_total_khz',
      'event_rate_core_khz',
      'efficiency_ratio_percent',
    ],
  },
  {
    id: 'resources',
    title: 'Resources',
    ids: [
      'workers_time_average',
      'avg_workers',
      'workers_mean',
      'peak_workers',
      'cores_time_average',
      'total_cores',
      'cores_per_worker',
      'core_seconds_available',
      'core_efficiency',
      'process_fraction',
      'busy_fraction',
      'cpu_fraction',
      'speedup_factor',
      'peak_memory_bytes',
      'avg_memory_per_worker_bytes',
      'memory_utilization_mean',
      'memory_utilization_min',
      'memory_utilization_peak',
      'memory_enough_bytes',
    ],
  },
  {
    id: 'timing',
    title: 'Timing',
    ids: [
      'elapsed_time_seconds',
      'total_cpu_time',
      'num_chunks',
      'report_num_chunks',
      'lost_chunks',
      'avg_cpu_time_per_chunk',
      'time_to_first_chunk',
    ],
  },
  {
    id: 'fine',
    title: 'Fine metrics',
    ids: [
      'processor_cpu_time_seconds',
      'processor_io_wait_time_seconds',
      'processor_cpu_percent',
      'processor_io_wait_percent',
      'overhead_cpu_time_seconds',
      'overhead_io_wait_time_seconds',
      'io_overhead_percent',
      'disk_read_bytes',
      'disk_write_bytes',
      'compression_time_seconds',
      'decompression_time_seconds',
      'total_compression_overhead_seconds',
      'serialization_time_seconds',
      'deserialization_time_seconds',
      'total_serialization_overhead_seconds',
    ],
  },
  {
    id: 'chunks',
    title: 'Chunks',
    ids: [
      'num_successful_chunks',
      'num_failed_chunks',
      'chunk_duration_mean',
      'chunk_duration_min',
      'chunk_seconds_p50',
      'chunk_seconds_p95',
      'chunk_duration_max',
      'chunk_duration_std',
      'chunk_mem_delta_mean_mb',
      'chunk_mem_delta_min_mb',
      'chunk_mem_delta_max_mb',
      'chunk_mem_delta_std_mb',
      'total_events_from_chunks',
      'chunk_events_mean',
      'chunk_events_min',
      'chunk_events_max',
    ],
  },
];

/**
 * Every fact in exactly one group; those of no known table stand in a seventh, so that nothing is
 * hidden.
 */
export function groupFacts(facts: readonly Fact[]): FactGroup[] {
  const rest = new Map(facts.map((fact) => [fact.id, fact]));
  const result = groups.map((group) => ({
    id: group.id,
    title: group.title,
    facts: group.ids.flatMap((id) => {
      const fact = rest.get(id);
      rest.delete(id);
      return fact ? [fact] : [];
    }),
  }));
  if (rest.size > 0)
    result.push({ id: 'other', title: 'Input and others', facts: [...rest.values()] });
  return result.filter((group) => group.facts.length > 0);
}

/** Where the Summary's tables begin: findings about a number of theirs lead there. */
export const factTablesId = 'fact-tables';
