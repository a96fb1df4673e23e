import { bytes, count, duration, memory, significant } from '../plot/format';

/** How a numeric column of the chunks is named and printed on an axis. */
export interface Quantity {
  column: string;
  /** for lists: "run time in process()" */
  label: string;
  /** from the column's unit to the shown one */
  factor: number;
  unit: string;
  /** one value, for people */
  text: (value: number) => string;
}

const known: Record<string, Omit<Quantity, 'column'>> = {
  duration: { label: 'run time in process()', factor: 1, unit: 's', text: duration },
  events: { label: 'events', factor: 1e-3, unit: 'thousand', text: count },
  times_expected: { label: 'time / expected', factor: 1, unit: '', text: significant },
  t_start: { label: 'start', factor: 1, unit: 's', text: duration },
  t_end: { label: 'end', factor: 1, unit: 's', text: duration },
  bytes_read: { label: 'bytes read', factor: 1e-6, unit: 'MB', text: bytes },
  bytes_per_second: {
    label: 'read rate',
    factor: 1e-6,
    unit: 'MB/s',
    text: (value) => `${bytes(value)}/s`,
  },
  host_load: { label: 'concurrent readers', factor: 1, unit: '', text: significant },
  seconds_per_event: { label: 'time per event', factor: 1e6, unit: 'µs', text: duration },
  memory_before: { label: 'memory before', factor: 1 / 1024 ** 2, unit: 'MiB', text: memory },
  memory_after: { label: 'memory after', factor: 1 / 1024 ** 2, unit: 'MiB', text: memory },
  memory_delta: { label: 'change of memory', factor: 1 / 1024 ** 2, unit: 'MiB', text: memory },
  memory_delta_per_event: {
    label: 'change of memory per event',
    factor: 1,
    unit: 'B',
    text: memory,
  },
  branches_accessed: { label: 'branches read', factor: 1, unit: '', text: count },
  'task:open_wall': { label: 'opening of the file', factor: 1, unit: 's', text: duration },
  entry_start: { label: 'first entry', factor: 1e-3, unit: 'thousand', text: count },
  entry_stop: { label: 'last entry', factor: 1e-3, unit: 'thousand', text: count },
  dataset: { label: 'dataset', factor: 1, unit: '', text: count },
  lane: { label: 'lane (inferred)', factor: 1, unit: '', text: count },
  chunk: { label: 'number in the record', factor: 1, unit: '', text: count },
};

/**
 * `accessed_bytes` is a fact of the file, repeated in each of its chunks: it is none of the chunk's
 * quantities.
 */
export const fileFacts: ReadonlySet<string> = new Set(['accessed_bytes']);

export function quantityOf(column: string): Quantity {
  const own = known[column];
  if (own) return { column, ...own };
  const section = /^section(_memory|_bytes)?:(.+)$/.exec(column);
  if (section) {
    const name = section[2] ?? '';
    if (section[1] === '_memory')
      return {
        column,
        label: `${name}: change of memory`,
        factor: 1 / 1024 ** 2,
        unit: 'MiB',
        text: memory,
      };
    if (section[1] === '_bytes')
      return { column, label: `${name}: bytes read`, factor: 1e-6, unit: 'MB', text: bytes };
    return { column, label: `section ${name}`, factor: 1, unit: 's', text: duration };
  }
  return { column, label: column.replace(/^custom\./, ''), factor: 1, unit: '', text: significant };
}

/** "run time in process() (s)" */
export const quantityTitle = ({ label, unit }: Quantity): string =>
  unit ? `${label} (${unit})` : label;

/** A section, or what of process() is in none. */
export const sectionTitle = (section: string): string =>
  section === 'unaccounted' ? 'in no section' : section;
