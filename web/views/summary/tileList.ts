import { timeSelection } from '../../state/selection';

export interface TileSpec {
  id: string;
  title: string;
  fact: string;
  /** beside the first, after a slash */
  second?: string;
  /** a fact that is drawn as a part of its limit */
  share?: string;
  sub: (get: (id: string) => string) => string;
  /**
   * what roastcoffea stored of it, shown while the file is still read; not where its number is
   * often another than ours
   */
  stored?: { id: string; unit: string };
}

/** Pieces that are known, joined; a sub-line never says "–". */
const joined = (...pieces: string[]): string =>
  pieces.filter((piece) => piece && !piece.includes('–')).join(' · ');

/** The eight headline numbers. */
export const tiles: TileSpec[] = [
  {
    id: 'elapsed',
    title: 'Elapsed',
    fact: 'elapsed_time_seconds',
    stored: { id: 'elapsed_time_seconds', unit: 's' },
    sub: () => (timeSelection.value ? 'selected time' : 'wall-clock time'),
  },
  {
    id: 'events',
    title: 'Events',
    fact: 'total_events',
    stored: { id: 'total_events', unit: 'count' },
    sub: (get) => joined(`${get('num_chunks')} chunks`, `lost ${get('lost_chunks')}`),
  },
  {
    id: 'event-rate',
    title: 'Event rate',
    fact: 'event_rate_elapsed_khz',
    stored: { id: 'event_rate_elapsed_khz', unit: 'kHz' },
    sub: (get) => joined(`${get('total_events')} ÷ ${get('elapsed_time_seconds')}`),
  },
  {
    id: 'per-core',
    title: 'Per available core',
    fact: 'event_rate_core_khz',
    sub: (get) => joined(`${get('event_rate_cpu_total_khz')} in process()`),
  },
  {
    id: 'data-rate',
    title: 'Data rate',
    fact: 'data_rate_gbps',
    sub: (get) => joined(`${get('total_bytes_read')} read`),
  },
  {
    id: 'workers',
    title: 'Workers / cores',
    fact: 'workers_time_average',
    second: 'cores_time_average',
    // the cores alone can be known: from the scheduler, or stated by hand
    sub: (get) =>
      joined(`peak ${get('peak_workers')} ${get('peak_workers') === '1' ? 'worker' : 'workers'}`) ||
      'workers not recorded',
  },
  {
    id: 'process',
    title: 'In process()',
    fact: 'process_fraction',
    sub: (get) => joined(`cores busy ${get('busy_fraction')}`),
  },
  {
    id: 'memory',
    title: 'Peak worker memory',
    fact: 'peak_memory_bytes',
    stored: { id: 'peak_memory_bytes', unit: 'byte' },
    share: 'memory_utilization_peak',
    sub: (get) =>
      joined(
        `${get('memory_utilization_peak')} of the limit`,
        `${get('memory_enough_bytes')} would suffice`,
      ),
  },
];
