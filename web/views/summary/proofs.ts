import type { NumbersOf, QuestionName } from '../../engine/questions';
import type { Finding } from '../../state/finding';
import type { ListDimension } from '../../state/selection';

/** Chunks as dots: those that the finding is about in full, the rest as a ghost. */
export interface ChunksProof {
  mark: 'chunks';
  title: string;
  /** of several columns the first that was recorded */
  x: readonly string[];
  y: readonly string[];
  log: boolean;
  /** the ghost is this number of each chunk: what the one in full is a part of, or beside */
  beside?: string;
  /** the finding is about the one with the largest number */
  largest?: boolean;
}

/** The cores over time: these parts of their time in full, the rest as a ghost. */
export interface CoresProof {
  mark: 'cores';
  title: string;
  /** those of `core_time_bins`; 'missing': cores that were there at another time */
  parts: readonly string[];
}

/** A bar for each row, or for each of several columns of the first row. */
export interface BarsProof {
  mark: 'bars';
  title: string;
  question: QuestionName;
  options?: Readonly<Record<string, string | number>>;
  /** only rows with one of these in a column */
  only?: readonly [column: string, ...values: string[]];
  /** the column of names, and that of values; else the columns, with what they are called */
  label?: string;
  value?: string;
  columns?: Readonly<Record<string, string>>;
  /** a column behind that of values: what it is a part of */
  whole?: string;
  /** where it is not that of the column */
  unit?: string;
  /** no bar where it is only a share of all functions together */
  ofEach?: boolean;
  /** rows of the same name are one bar; of paths, those that end in the same file name */
  together?: 'name' | 'file name';
  /** a column of ratios beside the numbers: what the headline says of a bar */
  ratio?: string;
  /** left out where the bars in full are as long as the others, and show no difference */
  apart?: boolean;
  /** a column of text beside the numbers */
  note?: string;
  /** over the numbers and the note */
  heads?: readonly string[];
  /** the bars in full by their names, or what of the finding names them; none = all */
  marked?: readonly string[] | ListDimension | 'function';
}

/** Workers' tasks over time: those whose result was lost, and the same work again. */
export interface ExecutionsProof {
  mark: 'executions';
  title: string;
}

/** A column of `machines` over time. */
export interface MomentsProof {
  mark: 'moments';
  title: string;
  column: NumbersOf<'machines'>;
  /** what is on its axis */
  caption: string;
}

/** A picture that shows whether a finding is true. */
export type Proof = ChunksProof | CoresProof | BarsProof | ExecutionsProof | MomentsProof;

type More<P extends Proof> = Partial<Omit<P, 'mark' | 'title'>>;

/** A measured number of each chunk by what tells chunks apart. */
const measured = (title: string, y: string, more: More<ChunksProof> = {}): Proof => ({
  mark: 'chunks',
  title,
  x: ['t_start'],
  y: [y],
  log: false,
  ...more,
});
const pace = measured('Time per event of each chunk', 'seconds_per_event', { log: true });
const expected = measured('Time of each chunk, as a multiple of that expected', 'times_expected', {
  log: true,
});
const cores = (...parts: string[]): Proof => ({ mark: 'cores', title: 'Cores over time', parts });
const bars = (title: string, question: QuestionName, more: More<BarsProof>): Proof => ({
  mark: 'bars',
  title,
  question,
  ...more,
});
const activities = (...marked: string[]): Proof =>
  bars('What the tasks did', 'fine_activities', {
    label: 'activity',
    value: 'value',
    unit: 'core-s',
    marked,
  });
/** The direct parts of a part of the core-time. */
const parts = (title: string, under: string, more: More<BarsProof>): Proof =>
  bars(title, 'core_time_tree', {
    options: { under: `available/${under}`, depth: 1 },
    label: 'label',
    value: 'core_seconds',
    ...more,
  });
const waitingIn = parts('Your functions: waiting, of all their time', 'inside_process', {
  only: ['kind', 'function'],
  value: 'waiting',
  whole: 'core_seconds',
  unit: 'core-s',
  heads: ['waiting', 'in all'],
  ofEach: true,
  marked: 'function',
});
const functions = parts("Time of your functions, with libraries' below them", 'inside_process', {
  only: ['kind', 'function'],
  marked: 'function',
});
const otherTasks = parts('Tasks other than chunks', 'other_tasks', {
  only: ['kind', 'task'],
  marked: 'prefixes',
});
const outside = parts('Processor tasks outside process()', 'outside_process', {
  only: ['kind', 'purpose'],
});
const ofFiles = (title: string, value: string, unit?: string): Proof =>
  bars(title, 'access', { label: 'file', value, ...(unit ? { unit } : {}), marked: 'files' });
const workers = (title: string, value: string, more: More<BarsProof> = {}): Proof =>
  bars(title, 'workers', { label: 'worker', value, marked: 'workers', ...more });
const readCpu = measured('CPU time in which each chunk read', 'task:read_cpu', { log: true });
const failures = [
  bars('Attempts that failed', 'failures', {
    label: 'exception',
    value: 'attempts',
    together: 'name',
    heads: ['attempts'],
  }),
  cores('lost_work', 'inside_process', 'outside_process', 'other_tasks', 'idle'),
];
const client = [
  cores('idle'),
  bars("Functions of the client's thread", 'client', {
    label: 'function',
    value: 'seconds',
    only: ['when', 'before the first task', 'between tasks', 'after the last task'],
    note: 'when',
    marked: 'function',
  }),
];
const loop: readonly Proof[] = [
  {
    mark: 'moments',
    title: "How late the scheduler's event loop was",
    column: 'loop_lag',
    caption: 'late by at most',
  },
  cores('idle'),
];
const idle = [
  cores('idle'),
  parts('Idle cores by cause', 'idle', { only: ['kind', 'idle_cause'] }),
];
const chunksOfWorkers = workers('Chunks that each worker ran', 'chunks', { heads: ['chunks'] });
const merging = [otherTasks, cores('other_tasks')];
const withoutCpu = measured('Time in which each chunk was ready and had no CPU', 'task:run_delay', {
  beside: 'task:wall',
});
const contention = [activities('thread-noncpu'), waitingIn];
const beside = measured('CPU time of the process during each chunk', 'task:cpu_of_process', {
  beside: 'task:cpu',
});
const ofBranches = { used_bytes: 'of the branches read' };

const alike = (shown: readonly Proof[], ...ids: string[]) =>
  Object.fromEntries(ids.map((id) => [id, shown]));

/** By the id of the finding. */
const proofs: Readonly<
  Record<string, readonly Proof[] | ((finding: Finding) => readonly Proof[])>
> = {
  ...alike(
    [pace],
    'slow-host',
    'slow-site',
    'slow-dataset',
    'slow-file',
    'slow-half',
    'first-chunks',
  ),
  ...alike([expected], 'slow-moment', 'first-of-files', 'stragglers', 'stopped'),
  ...alike([beside], 'library-threads', 'busy-loop', 'thread-beside'),
  ...alike(client, 'client-delays', 'client-computes', 'client-prepares'),
  ...alike(idle, 'library-start', 'idle-unknown'),
  tail: [cores('idle')],
  ...alike(loop, 'blocked-scheduler', 'client-beside'),
  ...alike([cores('idle'), chunksOfWorkers], 'tasks-elsewhere', 'tasks-bound'),
  ...alike(merging, 'reduction', 'heavy-output', 'other-tasks'),
  ...alike(contention, 'cpu-limit', 'interpreter-lock', 'oversubscribed', 'lock'),
  ...alike(failures, 'failed-tasks', 'failed-chunks'),
  'slow-cell': ({ section }) => [
    measured('Time of each chunk in the section', `section:${section}`, { log: true }),
  ],
  'longer-with-each': ({ section }) => [
    section ? measured('Time of each chunk in the section', `section:${section}`) : pace,
  ],
  'slow-worker': [
    workers('Mean time per event of all chunks on each worker', 'seconds_per_event', {
      ratio: 'times_others',
      heads: ['all its chunks', 'beside like chunks'],
    }),
    chunksOfWorkers,
    workers('CPU of the threads of each worker', 'cpu_mean', { apart: true }),
  ],
  'repeated-calls': [
    measured('Calls of the runner that took the same entries', 'task:call', { x: ['entry_start'] }),
  ],
  'empty-chunks': [
    measured('Time of each task by the events of its chunk', 'task:wall', {
      x: ['events'],
      y: ['task:wall', 'duration'],
    }),
  ],
  'processed-twice': [
    bars('Events of each file, under all its paths', 'files', {
      label: 'name',
      value: 'events',
      together: 'file name',
      heads: ['events'],
      marked: 'files',
    }),
    pace,
  ],
  'memory-grows': [measured('Memory after each chunk', 'memory_after')],
  'system-time': [
    measured('CPU time of each chunk in the operating system', 'task:system', {
      beside: 'task:cpu',
    }),
  ],
  'page-faults': [
    measured('CPU time of each chunk in the operating system', 'task:system', {
      x: ['task:minor_faults'],
    }),
  ],
  'garbage-collection': [
    measured('Garbage collection in each chunk', 'task:collecting', { beside: 'task:wall' }),
  ],
  'large-processor': [
    measured('Time in which each chunk unpacked the processor', 'task:unpack_wall', {
      beside: 'task:wall',
    }),
  ],
  'foreign-load': [withoutCpu],
  'small-files': [
    measured('Time in which each chunk opened its file', 'task:open_wall', { beside: 'task:wall' }),
  ],
  'small-baskets': [readCpu],
  ...alike(
    [measured('Time in which each chunk opened its file', 'task:open_wall', { log: true })],
    'slow-opening',
    'unused-preload',
  ),
  'small-chunks': [cores('outside_process'), outside],
  'large-chunks': [measured('Time of each chunk', 'duration', { largest: true })],
  'reads-more': [
    measured('Time in which each chunk waited for requests', 'task:request_wait', {
      x: ['task:rchar'],
    }),
  ],
  'bandwidth-limited': [
    measured('Time of each chunk by its bytes', 'task:request_wait', {
      x: ['task:requested_bytes', 'bytes_read'],
      y: ['task:request_wait', 'duration'],
    }),
  ],
  ...alike(
    [
      { mark: 'executions', title: 'Tasks whose result was lost, and the same work again' },
      cores('lost_work', 'missing'),
    ],
    'lost-work',
    'workers-lost',
  ),
  'late-workers': [cores('missing')],
  'start-up': [cores('idle', 'outside_process', 'other_tasks')],
  'runs-in-series': [
    cores('idle'),
    measured('Call of the runner that each chunk is of', 'task:call'),
  ],
  'needless-calls': [functions],
  'no-bytecode': [outside],
  'outside-process': [outside, cores('outside_process')],
  'held-up': [cores('outside_process')],
  'pre-processing': [otherTasks, cores('other_tasks', 'outside_process')],
  waiting: ({ function: named }) =>
    named ? contention : [activities('thread-noncpu'), withoutCpu, waitingIn],
  serialization: [activities('serialize', 'deserialize')],
  compression: [activities('compress', 'decompress')],
  spilling: [activities('disk-read', 'disk-write')],
  'memory-near-limit': [
    workers('Peak memory, and its limit', 'memory_peak', {
      marked: [],
      whole: 'memory_limit',
      heads: ['peak', 'limit'],
    }),
    cores('idle'),
  ],
  'unused-branches': [
    bars('Bytes of the input', 'input', {
      columns: { tree_bytes: 'in the files', ...ofBranches },
      marked: [ofBranches.used_bytes],
    }),
    ofFiles('Part of each file that is of the branches read', 'bytes_read_fraction'),
  ],
  ...alike(
    [
      bars('Bytes of the input', 'input', {
        columns: { ...ofBranches, read_bytes: 'read from them' },
        marked: ['read from them'],
      }),
      ofFiles('How often the bytes of each file were read', 'times_read', '×'),
      measured('Bytes that each chunk read', 'bytes_read'),
    ],
    'baskets-read-again',
    'other-events',
    'read-twice',
  ),
  codec: ({ selection: { files } }) =>
    files
      ? [ofFiles('Compressed size of each file, of its size unpacked', 'compression_ratio'), pace]
      : [readCpu],
};

/** The first is the proof; what follows it is left out where it was not recorded. */
export function proofsOf(finding: Finding): readonly Proof[] {
  const found = proofs[finding.id === 'reads-much' ? 'unused-branches' : finding.id] ?? [];
  return typeof found === 'function' ? found(finding) : found;
}
