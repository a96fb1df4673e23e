import type { QuestionName } from '../../engine/questions';

/** Chunks as dots: those that the finding is about in full, the rest as a ghost. */
interface ChunksProof {
  mark: 'chunks';
  title: string;
  x: string;
  y: string;
  log?: boolean;
}

/** The cores over time: these parts of their time in full, the rest as a ghost. */
interface CoresProof {
  mark: 'cores';
  title: string;
  parts: readonly string[];
}

/** A bar for each row, or for each of several columns of the first row. */
interface BarsProof {
  mark: 'bars';
  title: string;
  question: QuestionName;
  /** the column of names, and that of values; else the columns, with what they are called */
  label?: string;
  value?: string;
  columns?: Readonly<Record<string, string>>;
  /** the bars in full, by their names; a dimension of the finding's selection says them, too */
  marked: readonly string[] | 'workers' | 'files';
}

/** The one picture that shows whether a finding is true. */
export type Proof = ChunksProof | CoresProof | BarsProof;

/** A measured number of each chunk by what tells chunks apart. */
const measured = (title: string, y: string, x = 't_start', log = false): Proof => ({
  mark: 'chunks',
  title,
  x,
  y,
  log,
});
const pace = (y = 'seconds_per_event'): Proof => measured('Time of each chunk', y, 't_start', true);
const size = measured('Time of each chunk', 'duration', 'events');
const cores = (...parts: string[]): Proof => ({ mark: 'cores', title: 'Cores over time', parts });
const activities = (...marked: string[]): Proof => ({
  mark: 'bars',
  title: 'What the tasks did',
  question: 'fine_activities',
  label: 'activity',
  value: 'value',
  marked,
});
const input: Proof = {
  mark: 'bars',
  title: 'Bytes of the input',
  question: 'input',
  columns: { tree_bytes: 'in the files', used_bytes: 'of branches used', read_bytes: 'read' },
  marked: ['read'],
};
const workers = (title: string, value: string): Proof => ({
  mark: 'bars',
  title,
  question: 'workers',
  label: 'worker',
  value,
  marked: 'workers',
});
const failures: Proof = {
  mark: 'bars',
  title: 'Attempts that failed',
  question: 'failures',
  label: 'exception',
  value: 'attempts',
  marked: [],
};

const functions: Proof = {
  mark: 'bars',
  title: 'Time in each function itself',
  question: 'frames',
  label: 'name',
  value: 'self',
  marked: [],
};
const client: Proof = {
  mark: 'bars',
  title: "Functions of the client's thread",
  question: 'client',
  label: 'function',
  value: 'seconds',
  marked: [],
};

/** By the id of the finding. Those without a picture lead straight to the view that shows them. */
const proofs: Readonly<Record<string, Proof>> = {
  'slow-host': pace(),
  'slow-site': pace(),
  'slow-dataset': pace(),
  'slow-cell': pace(),
  'slow-file': pace(),
  'slow-moment': pace('times_expected'),
  'first-of-files': pace('times_expected'),
  stragglers: pace('times_expected'),
  'slow-half': pace(),
  'first-chunks': pace(),
  'longer-with-each': pace(),
  'repeated-calls': measured('Entries of chunks by call of the runner', 'entry_start', 'task:call'),
  'processed-twice': measured('Entries of chunks over time', 'entry_start'),
  'memory-grows': measured('Memory after each chunk', 'memory_after'),
  'system-time': measured('Time of each chunk in the operating system', 'task:system'),
  'page-faults': measured('Page faults of each chunk', 'task:minor_faults'),
  'garbage-collection': measured('Garbage collection in each chunk', 'task:collecting'),
  'large-processor': measured(
    'Time in which each chunk unpacked the processor',
    'task:unpack_wall',
  ),
  'library-threads': measured('Threads of the process during each chunk', 'task:threads'),
  'busy-loop': measured('CPU time of the process during each chunk', 'task:cpu_of_process'),
  'foreign-load': measured('Time in which each chunk waited for a CPU', 'task:run_delay'),
  'small-files': size,
  'small-baskets': measured('CPU time in which each chunk read', 'task:read_cpu', 't_start', true),
  'slow-opening': measured(
    'Time in which each chunk opened its file',
    'task:open_wall',
    't_start',
    true,
  ),
  'slow-worker': workers('Time of chunks, × the same work elsewhere', 'times_others'),
  'small-chunks': size,
  'large-chunks': size,
  'bandwidth-limited': measured(
    'Read rate of a chunk by concurrent readers',
    'bytes_per_second',
    'host_load',
  ),
  'lost-work': cores('lost_work'),
  'workers-lost': cores('lost_work', 'idle'),
  'late-workers': cores('idle'),
  'client-delays': cores('idle'),
  'library-start': cores('idle'),
  'blocked-scheduler': cores('idle'),
  'other-tasks': cores('other_tasks'),
  'client-computes': client,
  'client-prepares': client,
  'needless-calls': functions,
  'start-up': cores('idle'),
  tail: cores('idle'),
  'idle-unknown': cores('idle'),
  'tasks-elsewhere': cores('idle'),
  'tasks-bound': cores('idle'),
  'runs-in-series': cores('idle'),
  'outside-process': cores('outside_process'),
  'held-up': cores('outside_process'),
  'pre-processing': cores('other_tasks'),
  reduction: cores('other_tasks'),
  'heavy-output': cores('other_tasks'),
  waiting: activities('thread-noncpu'),
  lock: activities('thread-noncpu'),
  'cpu-limit': activities('thread-noncpu'),
  'interpreter-lock': activities('thread-noncpu'),
  oversubscribed: activities('thread-noncpu'),
  serialization: activities('serialize', 'deserialize'),
  compression: activities('compress', 'decompress'),
  spilling: activities('disk-read', 'disk-write'),
  'memory-near-limit': workers('Peak memory of workers', 'memory_peak'),
  'unused-branches': input,
  'reads-much': input,
  'baskets-read-again': input,
  codec: {
    mark: 'bars',
    title: 'Time of files, × the same events of other files',
    question: 'access',
    label: 'file',
    value: 'times_others',
    marked: 'files',
  },
  'failed-tasks': failures,
  'failed-chunks': failures,
};

export const proofOf = (id: string): Proof | undefined => proofs[id];
