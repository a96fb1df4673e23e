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
  entry_start: { label: 'first entry', factor: 1e-3, unit: 'thousand', text: count },
  entry_stop: { label: 'last entry', factor: 1e-3, unit: 'thousand', text: count },
  dataset: { label: 'dataset', factor: 1, unit: '', text: count },
  lane: { label: 'lane (inferred)', factor: 1, unit: '', text: count },
  chunk: { label: 'number in the record', factor: 1, unit: '', text: count },
};

const seconds = { factor: 1, unit: 's', text: duration };
const megabytes = { factor: 1e-6, unit: 'MB', text: bytes };
const mebibytes = { factor: 1 / 1024 ** 2, unit: 'MiB', text: memory };
const counts = { factor: 1, unit: '', text: count };

/** What `crema.record` measured of the task that ran a chunk, by the columns of docs/format.md. */
const ofTasks: Record<string, Omit<Quantity, 'column'>> = Object.fromEntries(
  (
    [
      [seconds, 'wall', 'whole task'],
      [seconds, 'cpu', "CPU time of the task's thread"],
      [seconds, 'user', 'CPU time in programs'],
      [seconds, 'system', 'CPU time in the operating system'],
      [seconds, 'cpu_of_process', 'CPU time of the process'],
      [seconds, 'collecting', 'garbage collection'],
      [seconds, 'run_delay', 'ready, without a CPU'],
      [seconds, 'request_wait', 'waiting for input'],
      [seconds, 'first_byte', 'waiting for first bytes'],
      [megabytes, 'out_bytes', 'result'],
      [megabytes, 'rchar', 'bytes read by system calls'],
      [megabytes, 'wchar', 'bytes written by system calls'],
      [megabytes, 'read_bytes', 'bytes read from disks'],
      [megabytes, 'write_bytes', 'bytes written to disks'],
      [megabytes, 'requested_bytes', 'input asked for'],
      [mebibytes, 'rss_before', 'memory before the task'],
      [mebibytes, 'rss_after', 'memory after the task'],
      [mebibytes, 'rss_peak', 'peak memory'],
      [counts, 'call', 'call of the runner'],
      [counts, 'attempt', 'attempt'],
      [counts, 'at_once', 'tasks at once in the process'],
      [counts, 'threads', 'threads of the process'],
      [counts, 'collections', 'garbage collections'],
      [counts, 'minor_faults', 'page faults'],
      [counts, 'major_faults', 'page faults that read a disk'],
      [counts, 'voluntary_switches', 'times it waited'],
      [counts, 'involuntary_switches', 'times it lost its CPU'],
      [counts, 'requests', 'requests for input'],
      [counts, 'requested_ranges', 'ranges of input'],
    ] as const
  ).map(([how, column, label]) => [column, { ...how, label }]),
);
const parts: Record<string, string> = {
  start: 'start of the process',
  unpack: 'unpickling of the processor',
  open: 'opening of the file',
  read: 'reading of columns',
  process: 'process()',
  serialise: 'pickling of the result',
};

function quantityOfTask(column: string): Omit<Quantity, 'column'> | undefined {
  if (ofTasks[column]) return ofTasks[column];
  const [, part, what] = /^(\w+)_(begin|wall|cpu)$/.exec(column) ?? [];
  const label = parts[part ?? ''];
  if (!label) return undefined;
  const of = { begin: `${label}: after the task's begin`, wall: label, cpu: `${label}: CPU time` };
  return { ...seconds, label: of[what as keyof typeof of] };
}

/**
 * `accessed_bytes` is a fact of the file, repeated in each of its chunks: it is none of the chunk's
 * quantities.
 */
export const fileFacts: ReadonlySet<string> = new Set(['accessed_bytes']);

export function quantityOf(column: string): Quantity {
  const own = known[column];
  if (own) return { column, ...own };
  const task = column.startsWith('task:') && quantityOfTask(column.slice('task:'.length));
  if (task) return { column, ...task };
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
