import { timeSelection } from '../../state/selection';

export interface TileSpec {
  id: string;
  title: string;
  fact: string;
  /** the part of `budget` whose share it is */
  part?: string;
  /** a fact that is drawn as a part of its limit, and said in its place */
  share?: string;
  sub?: (get: (id: string) => string) => string;
  /**
   * what roastcoffea stored of it, shown while the file is still read; not where its number is
   * often another than ours
   */
  stored?: { id: string; unit: string };
}

/** Pieces that are known, joined; a sub-line never says "–". */
const joined = (...pieces: string[]): string =>
  pieces.filter((piece) => piece && !piece.includes('–')).join(' · ');

/** In its first seconds a run has none of them: that is no number of a run. */
const counted = (before: string, text: string, name: string): string =>
  text === '0' ? '' : `${before}${text} ${name}${text === '1' ? '' : 's'}`;

/** The six headline numbers. */
export const tiles: TileSpec[] = [
  {
    id: 'elapsed',
    title: 'Elapsed',
    fact: 'elapsed_time_seconds',
    stored: { id: 'elapsed_time_seconds', unit: 's' },
    sub: () => (timeSelection.value ? 'selected time' : ''),
  },
  {
    id: 'event-rate',
    title: 'Event rate',
    fact: 'event_rate_elapsed_khz',
    stored: { id: 'event_rate_elapsed_khz', unit: 'kHz' },
    sub: (get) => joined(`${get('total_events')} events`),
  },
  {
    id: 'core-time',
    title: 'Core time',
    fact: 'core_seconds_available',
    sub: (get) =>
      joined(
        counted('', get('cores_time_average'), 'core'),
        counted('peak ', get('peak_workers'), 'worker'),
      ),
  },
  {
    id: 'process',
    title: 'In process()',
    fact: 'process_fraction',
    part: 'inside_process',
    sub: (get) => joined(`in tasks ${get('busy_fraction')}`),
  },
  {
    id: 'on-cpu',
    title: 'On a CPU',
    fact: 'cpu_fraction',
    part: 'activity:thread-cpu',
  },
  {
    id: 'memory',
    title: 'Peak memory',
    fact: 'peak_memory_bytes',
    stored: { id: 'peak_memory_bytes', unit: 'byte' },
    share: 'memory_utilization_peak',
  },
];
