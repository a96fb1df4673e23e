import type { CoreEngine } from './core';
import type { InputFile } from './engine';
import { turn } from './meter';
import type { QuestionName } from './questions';

/*
 * WebAssembly is compiled as it is called: what has not run yet is first translated, badly, and
 * what has run often is translated again, well, so that a first small bundle waits more for
 * compilers than for answers. While nobody wants anything, the core reads and answers about a
 * bundle that is made up here. It takes a fifth from the time between the drop of a small bundle
 * and its first view, though the module comes compiled: V8 leaves most of that to the first call.
 */

const workers = 8;
const ticks = 120;
const chunks = 400;
const files = 20;
const start = Date.UTC(2026, 0, 1) / 1000;

const addresses = Array.from(
  { length: workers },
  (_, worker) => `tcp://127.0.0.1:${40000 + worker}`,
);
const times = Array.from({ length: ticks }, (_, tick) =>
  new Date((start + tick) * 1000).toISOString().slice(0, 23),
);

const series = (value: (tick: number) => number) =>
  Object.fromEntries(
    addresses.map((address) => [address, times.map((time, tick) => [time, value(tick)])]),
  );

function chunk(index: number) {
  const begin = start + 1 + Math.floor(index / workers) * 2;
  // one file is slow: a run with nothing to find leaves the findings cold
  const duration = index % files === 7 ? 2 : 1;
  return {
    t_start: begin,
    t_end: begin + duration,
    duration,
    mem_before_mb: 250.5,
    mem_after_mb: 252.25,
    mem_delta_mb: 1.75,
    bytes_read: 2000000,
    timestamp: begin + duration + 0.001,
    num_events: 10000 + index,
    dataset: `dataset ${index % 3}`,
    file: `root://host.example//file_${index % files}.root`,
    entry_start: 0,
    entry_stop: 10000 + index,
    accessed_branches: ['Muon_pt', 'Jet_pt'],
    num_branches_accessed: 2,
    timing: { load: 0.5, fill: 1 },
  };
}

/** A metrics.json as roastcoffea writes it. */
const metrics = () => ({
  elapsed_time_seconds: ticks,
  num_chunks: chunks,
  tracking_data: {
    worker_counts: Object.fromEntries(times.map((time) => [time, workers])),
    worker_memory: series((tick) => 200000000 + tick),
    worker_active_tasks: series(() => 2),
    worker_cores: series(() => 1),
    worker_executing: series(() => 1),
    worker_last_seen: series((tick) => start + tick - 0.25),
    worker_cpu: series((tick) => tick / 10),
  },
  raw_chunk_metrics: Array.from({ length: chunks }, (_, index) => chunk(index)),
  raw_span_metrics: {
    "('execute', 'process', 'thread-cpu', 'seconds')": 500,
    "('execute', 'process', 'thread-noncpu', 'seconds')": 100,
  },
});

/** A node of a Dask profile: `depth` levels below it, two callees on each. */
function node(name: string, depth: number): object {
  const file = `/lib/python3.12/site-packages/package_${depth}/module.py`;
  const callees = depth > 0 ? [`${name}l`, `${name}r`] : [];
  return {
    count: 2 ** depth,
    description: { filename: file, name, line_number: 12, line: 'x = f(y)\n' },
    children: Object.fromEntries(
      callees.map((callee) => [`${callee};${file};10`, node(callee, depth - 1)]),
    ),
    identifier: `${name};${file};10`,
  };
}

type Asked = [question: QuestionName, options?: Record<string, string | number | boolean>];

const wholeTree = { profile: 'all', leaves: 'estimated', runs: true, min_fraction: 1 / 4096 };

/** What the first views ask. */
const questions: readonly Asked[] = [
  ['runs'],
  ['quality'],
  ['summary'],
  ['budget'],
  ['findings'],
  ['phases'],
  ['timeline'],
  ['throughput'],
  ['datasets'],
  ['files'],
  ['hosts'],
  ['workers'],
  ['fine'],
  ['profiles'],
  ['flame', wholeTree],
  ['frames', { profile: 'all', leaves: 'estimated' }],
];

/**
 * What is asked of trees alone: the picture, and what a search marks in it. Each choice of leaves
 * is merged and laid out anew.
 */
const treeQuestions: readonly Asked[] = [
  ['profiles'],
  ...['estimated', 'forced', 'counted', 'notebook'].flatMap((leaves): Asked[] => [
    ['flame', { ...wholeTree, leaves }],
    ['flame', { ...wholeTree, leaves, search: 'f', marks: true }],
  ]),
];

/**
 * What goes through a tree node by node is translated well once it has gone through so many: trees
 * of this size, so often.
 */
const rounds = 12;
const treeDepth = 11;

/** Two workers' trees, so that they are merged. */
const workerProfiles = () =>
  Object.fromEntries(
    addresses.slice(0, 2).map((address) => [address, { meta: {}, profile: node('f', treeDepth) }]),
  );

const inputOf = (name: string, content: object): InputFile => ({
  path: `made-up/${name}`,
  data: new Blob([JSON.stringify(content, null, 2)]),
});

/**
 * Has `trial`, which holds nothing else, read and answer until `isWanted` says that somebody waits
 * for the core.
 */
export async function warmUp(trial: CoreEngine, isWanted: () => boolean): Promise<void> {
  await ask(
    trial,
    [inputOf('metrics.json', metrics()), inputOf('profile_merged.json', node('f', 10))],
    questions,
    isWanted,
  );
  const trees = [inputOf('profiles.json', workerProfiles())];
  for (let round = 0; round < rounds && !isWanted(); round += 1)
    await ask(trial, trees, treeQuestions, isWanted);
}

async function ask(
  trial: CoreEngine,
  files: InputFile[],
  asked: readonly Asked[],
  isWanted: () => boolean,
): Promise<void> {
  const { runs } = await trial.open(files);
  for (const [question, options = {}] of asked) {
    await turn();
    if (isWanted()) break;
    trial.answer(question, { runs, options });
  }
  for (const run of runs) await trial.close(run);
}
