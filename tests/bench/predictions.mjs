// Whether predictions hold: what is predicted from one recording is set against recordings in which
// that was done. `npm run bench -- predictions --bundles FOLDER`, which holds a truth.jsonl (name,
// cause, analysis, where, expected_extra_core_seconds). Recordings of the same files that differ in
// their cluster or chunk size alone predict each other; those with one known fault predict what the
// run takes without it, and healthy ones what it takes with it. Printed is every band that did not
// hold, and of each kind how many did, how wide they are, and how far off the likely values.
// `--program PATH` judges another build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failed, root } from '../../scripts/run.mjs';
import { bundlesIn, rowsOf } from './verdicts.mjs';

let program = join(root, 'build/native/crema');

function ask({ path }, question, options = {}) {
  const given = Object.entries(options).flatMap(([key, value]) => ['--option', `${key}=${value}`]);
  const text = execFileSync(program, ['ask', path, question, ...given, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return rowsOf(JSON.parse(text));
}

/** Causes that change the cluster or the chunk size, and nothing of the work. */
const sameWork =
  /^(none|nothing is wrong|the healthy job|oversubscribed$|chunks-too|chunk-size-change|chunks of [\d,]+ events instead|one worker instead)/;
/** Other work than that of the healthy ones, recorded on several clusters. */
const otherWork = [/^(scale-\w+)-\d+$/, /^(gil)(?:-reference|-\dx\d)?$/, /^(?:.*-)?(triplets)$/];
/** These run without the cluster that is predicted. */
const otherExecutor = /futures|iterative|parsl/;
/** Names of recordings that are pairs of their own in a folder. */
const baseOf = (name) => (name.startsWith('p-') ? 'pairs' : 'healthy');

/** Which job a recording is one of; undefined of one with a fault. */
function jobOf({ name, truth }) {
  const other = otherWork.map((pattern) => pattern.exec(name)?.[1]).find(Boolean);
  return other ?? (sameWork.test(truth.cause) ? baseOf(name) : undefined);
}

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor((sorted.length - 1) / 2)];
};

/** What ran where; undefined of a recording that cannot be replayed. */
function factsOf(bundle) {
  const [asItWas] = ask(bundle, 'whatif');
  if (!asItWas) return undefined;
  const threads = Math.max(...ask(bundle, 'workers').map((worker) => worker.nthreads ?? 1));
  const events = new Map();
  for (const chunk of ask(bundle, 'chunks'))
    events.set(chunk.file, (events.get(chunk.file) ?? 0) + chunk.events);
  return {
    elapsed: asItWas.elapsed,
    replay: Math.abs(asItWas.calibration_error),
    chunkEvents: asItWas.chunk_events,
    cluster: `${Math.max(1, Math.round(asItWas.cores / threads))}x${threads}`,
    work: JSON.stringify([bundle.truth.analysis, [...events].sort()]),
  };
}

const isSameSize = (a, b, by = 1.05) =>
  Math.max(a.chunkEvents / b.chunkEvents, b.chunkEvents / a.chunkEvents) < by;

/** Bands of each kind, and what was measured. */
class Kinds {
  kinds = new Map();

  add(kind, said, measured, text) {
    const { elapsed_low: low, elapsed_high: high, elapsed: likely } = said ?? {};
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    const isHeld = low <= measured && measured <= high;
    const one = { isHeld, width: high / low, off: likely === null ? null : likely / measured - 1 };
    this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), one]);
    if (isHeld && !process.env.CREMA_BENCH_ALL) return;
    const band = `[${low.toFixed(2)}, ${high.toFixed(2)}]`;
    console.log(`  ${kind}: ${text}: ${measured.toFixed(2)} s, ${isHeld ? '' : 'not '}in ${band}`);
  }

  print() {
    console.log(
      `${'kind'.padEnd(28)}${['bands', 'held', '≤ 2x wide', 'width', 'told', 'off', 'bias'].map((one) => one.padStart(11)).join('')}`,
    );
    for (const [kind, bands] of this.kinds) {
      const percent = (part) => `${((100 * part) / bands.length).toFixed(1)} %`;
      const told = bands.map(({ off }) => off).filter((off) => off !== null);
      const cells = [
        bands.length,
        percent(bands.filter(({ isHeld }) => isHeld).length),
        percent(bands.filter(({ width }) => width <= 2).length),
        `${median(bands.map(({ width }) => width)).toFixed(2)}x`,
        percent(told.length),
        `${(100 * median(told.map(Math.abs))).toFixed(1)} %`,
        `${(100 * median(told)).toFixed(1)} %`,
      ];
      console.log(kind.padEnd(28) + cells.map((cell) => String(cell).padStart(11)).join(''));
    }
  }
}

/** Two recordings of one job. */
function ofOneJob(kinds, from, to) {
  const text = `${from.name} → ${to.name}`;
  const isSameCluster = from.cluster === to.cluster;
  if (isSameSize(from, to)) {
    const [, said] = ask(from, 'whatif', { workers: to.cluster });
    kinds.add(isSameCluster ? 'the same again' : 'another cluster', said, to.elapsed, text);
  } else if (isSameCluster) {
    const said = ask(from, 'whatif', { chunk_events: Math.round(to.chunkEvents) }).find(
      ({ scenario }) => scenario.startsWith('chunks of '),
    );
    kinds.add('another chunk size', said, to.elapsed, text);
  }
}

/** The advice of a recording, where another of the job followed it. */
function followed(kinds, from, others) {
  for (const advice of ask(from, 'advice')) {
    const size = /runner\.chunksize = (\d+)/.exec(advice.code)?.[1];
    const [, workers, threads] =
      /n_workers=(\d+), threads_per_worker=(\d+)/.exec(advice.code) ?? [];
    if (!size && !workers) continue;
    for (const to of others) {
      const isDone = size
        ? isSameSize(to, { chunkEvents: size }, 1.5) && to.cluster === from.cluster
        : isSameSize(to, from) && to.cluster === `${workers}x${threads}`;
      if (isDone) kinds.add('advice followed', advice, to.elapsed, `${from.name} → ${to.name}`);
    }
  }
}

/** The part in which a fault is, and its seconds in a recording. */
function partOf(bundle, where) {
  const kind = ['file', 'dataset', 'section'].find((one) => where[one]);
  const rows = kind ? ask(bundle, `${kind}s`) : [];
  const row = rows.find(({ name }) => name === where[kind] || name?.endsWith(`/${where[kind]}`));
  return row && { name: `${kind}:${where[kind]}`, seconds: row.seconds };
}

/** A recording with a fault, and one without it. */
function ofAFault(kinds, faulty, healthy) {
  const { where = {}, expected_extra_core_seconds: extra } = faulty.truth;
  const text = (from, to, part) => `${from.name} → ${to.name}, ${part}`;
  const changed = (kind, from, to, part, times) => {
    const [, said] = ask(from, 'whatif', { part, times });
    kinds.add(kind, said, to.elapsed, text(from, to, part));
  };
  const part = extra > 0 ? partOf(faulty, where) : undefined;
  if (part && part.seconds > extra) {
    changed('part faster', faulty, healthy, part.name, part.seconds / (part.seconds - extra));
    const before = partOf(healthy, where)?.seconds;
    // what was hardly there can grow to anything
    if (before > extra / 10)
      changed('part slower', healthy, faulty, part.name, before / (before + extra));
  }
  if (!where.function) return;
  const name = `function:${where.function}`;
  const [, without] = ask(healthy, 'whatif', { part: name });
  if (without?.unseen?.includes('has no function'))
    changed('function removed', faulty, healthy, name, 1e6);
}

/** Prints what was predicted beside what was measured; no figures of speed. */
export function predictions({ bundles: folder, program: other }) {
  if (!folder || !existsSync(join(folder, 'truth.jsonl')))
    throw new Failed('predictions needs --bundles FOLDER, with a truth.jsonl');
  program = other ?? program;
  const scratch = mkdtempSync(join(tmpdir(), 'crema-predictions-'));
  try {
    const recordings = bundlesIn(folder, scratch)
      .filter(({ name, truth }) => truth && !otherExecutor.test(name))
      .map((bundle) => ({ ...bundle, ...factsOf(bundle), job: jobOf(bundle) }))
      .filter(({ work }) => work !== undefined);
    const kinds = new Kinds();
    for (const from of recordings) {
      const ofWork = recordings.filter((one) => one !== from && one.work === from.work);
      if (from.job) {
        const others = ofWork.filter(({ job }) => job === from.job);
        for (const to of others) ofOneJob(kinds, from, to);
        followed(kinds, from, others);
      } else if (!from.truth.cause.includes(' + ')) {
        const healthy = ofWork
          .filter(({ job }) => job === baseOf(from.name))
          .filter((one) => one.cluster === from.cluster && isSameSize(one, from));
        for (const one of healthy) ofAFault(kinds, from, one);
      }
    }
    console.log(`${recordings.length} recordings`);
    const worst = recordings.toSorted((a, b) => b.replay - a.replay)[0];
    console.log(
      `replay of a run itself: worst ${(100 * worst.replay).toFixed(1)} %, ${worst.name}`,
    );
    kinds.print();
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return [];
}
