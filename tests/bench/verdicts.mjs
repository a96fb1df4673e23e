// Whether the verdicts of `compare` and `verdict` hold: false alarms between runs that are the
// same, and the smallest slowdown that is found. `npm run bench -- verdicts [--bundles FOLDER]`;
// FOLDER holds bundles as folders or zips (unpacked by unzip), by default tests/data. Bundles with
// a truth.json, or a line in FOLDER/truth.jsonl (name, cause, compare_with), are compared with what
// it names; openings are judged by `pairs`.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../scripts/run.mjs';

const program = join(root, 'build/native/crema');
const sizes = [0.03, 0.05, 0.1, 0.2, 0.5];
const drawn = 40; // injections of a size and kind
const nulls = 60; // simulated comparisons of a kind
const least = 0.03; // of process(): smaller sections are not injected

/** Own random numbers, so that every run of the bench is the same (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const among = (list) => list[Math.floor(uniform() * list.length)];
  return { uniform, normal, among };
}

/** As roastcoffea has the chunks; of a bundle of `crema.record`, which has none of its own, by its rows. */
function chunksOf(path, metrics) {
  if (Array.isArray(metrics.raw_chunk_metrics)) return metrics.raw_chunk_metrics;
  const number = (value) => (Number.isFinite(value) ? value : undefined);
  return rowsOf(ask('chunks', path)).map((row) => {
    const sections = Object.entries(row).filter(([name]) => name.startsWith('section:'));
    return {
      dataset: row.dataset,
      file: row.file,
      entry_start: number(row.entry_start),
      entry_stop: number(row.entry_stop),
      num_events: number(row.events),
      t_start: row.t_start,
      t_end: row.t_end,
      duration: row.duration,
      bytes_read: number(row.bytes_read),
      timing: Object.fromEntries(
        sections.flatMap(([name, s]) => (s > 0 ? [[name.slice(8), s]] : [])),
      ),
    };
  });
}

/** Folders with a metrics.json, under whatever the folder or zip holds. */
export function bundlesIn(folder, scratch) {
  const found = [];
  const list = join(folder, 'truth.jsonl');
  const truths = (existsSync(list) ? readFileSync(list, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const name of readdirSync(folder).sort()) {
    let path = join(folder, name);
    if (name.endsWith('.zip')) {
      const into = join(scratch, 'unpacked');
      execFileSync('unzip', ['-qo', path, '-d', into]);
      path = join(into, basename(name, '.zip'));
    }
    if (!existsSync(join(path, 'metrics.json'))) continue;
    const metrics = JSON.parse(readFileSync(join(path, 'metrics.json'), 'utf8'));
    const truth =
      truths.find((one) => one.name === basename(path)) ??
      (existsSync(join(path, 'truth.json'))
        ? JSON.parse(readFileSync(join(path, 'truth.json'), 'utf8'))
        : undefined);
    let chunks;
    found.push({
      name: basename(path),
      path,
      metrics,
      truth,
      get chunks() {
        chunks ??= chunksOf(path, metrics); // not every bench looks at them
        return chunks;
      },
    });
  }
  return found;
}

/** What the program, or another build of it, answers about two runs, or about one. */
export function ask(question, a, b, of = program) {
  const text = execFileSync(of, ['ask', a, ...(b ? [b] : []), question, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e9,
  });
  return JSON.parse(text);
}

const columnOf = (table, name) => {
  const column = table.columns.find((one) => one.name === name);
  return column.values ?? column.texts ?? column.numbers;
};
export const rowsOf = (table) => {
  const names = table.columns.map((column) => column.name);
  const columns = names.map((name) => columnOf(table, name));
  return Array.from({ length: columns[0].length }, (_, row) =>
    Object.fromEntries(names.map((name, i) => [name, columns[i][row]])),
  );
};
export const noteOf = (table, name) =>
  Array.isArray(table.notes)
    ? table.notes.find((note) => note.name === name)?.value
    : table.notes[name];

/** What `compare` calls different, of all numbers that both have. */
export function called(a, b) {
  const rows = rowsOf(ask('compare', a, b)).filter(
    (row) =>
      row.group !== 'setup' &&
      Number.isFinite(row.a) &&
      Number.isFinite(row.b) &&
      row.a !== null &&
      row.b !== null,
  );
  return { rows, different: rows.filter((row) => row.noteworthy === 1 || row.noteworthy === true) };
}

/** The parts that `verdict` names: of what was measured, the place that has it. */
export const partsOf = (verdict) =>
  rowsOf(verdict).filter(
    (row) =>
      !['evenly', 'unpaired', 'unexplained', 'elapsed'].includes(row.kind) &&
      (row.kind !== 'measured' ||
        (/, (on|in) /.test(row.label) &&
          noteOf(verdict, 'sentence').includes(`most of it ${row.label.replace(/^.*?, /, '')}`))),
  );

const workersOf = ({ metrics }) => Math.max(1, Math.round(metrics.total_cores ?? 2));

/** As Dask's task stream has the processor's task of a chunk. */
const taskOf = (chunk, worker, i) => ({
  worker: `tcp://10.0.0.${worker + 1}:1`,
  thread: worker,
  startstops: [{ action: 'compute', start: chunk.t_start - 1e-3, stop: chunk.t_end + 1e-3 }],
  nbytes: 1,
  status: 'OK',
  key: `Processor-${i.toString(16).padStart(32, '0')}`,
});

/** A run of the same job: each chunk's seconds by `factor(chunk, section, worker)`, scheduled anew. */
function simulated(bundle, factor, into, chunks = bundle.chunks) {
  const workers = workersOf(bundle);
  const begin = Math.min(...bundle.chunks.map((chunk) => chunk.t_start));
  const free = Array(workers).fill(begin);
  const made = [...chunks]
    .sort((x, y) => x.t_start - y.t_start)
    .map((chunk) => {
      const worker = free.indexOf(Math.min(...free));
      const timing = {};
      let inside = 0;
      let before = 0;
      for (const [section, seconds] of Object.entries(chunk.timing ?? {})) {
        timing[section] = seconds * factor(chunk, section, worker);
        inside += timing[section];
        before += seconds;
      }
      const rest = Math.max(0, chunk.duration - before) * factor(chunk, '', worker);
      const t_start = free[worker];
      free[worker] += inside + rest;
      return { ...chunk, timing, duration: inside + rest, t_start, t_end: free[worker], worker };
    });
  const elapsed = Math.max(...free) - begin;
  mkdirSync(into, { recursive: true });
  const { data_rate_gbps, total_events, total_cores, total_bytes_read } = bundle.metrics;
  writeFileSync(
    join(into, 'metrics.json'),
    JSON.stringify({
      data_rate_gbps,
      total_events,
      total_cores,
      total_bytes_read,
      elapsed_time_seconds: elapsed,
      total_cpu_time: made.reduce((sum, chunk) => sum + chunk.duration, 0),
      num_chunks: made.length,
      raw_chunk_metrics: made.map(({ worker, ...chunk }) => chunk),
    }),
  );
  writeFileSync(
    join(into, 'task_stream.json'),
    JSON.stringify(made.map((chunk, i) => taskOf(chunk, chunk.worker, i))),
  );
  return into;
}

export const groupBy = (list, keyOf) => {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (groups.has(key)) groups.get(key).push(one);
    else groups.set(key, [one]);
  }
  return groups;
};
export const percent = (part, of) =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} % of ${of}`;

/** Prints the table; returns no figures of speed. */
export function verdicts({ bundles: folder = join(root, 'tests/data') } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'crema-verdicts-'));
  const lines = [];
  const say = (what, measured) => {
    lines.push([what, measured]);
    console.log(`${what.padEnd(72)} ${measured}`);
  };
  try {
    const all = bundlesIn(folder, scratch);
    measureReplicates(all, say);
    const usable = all.filter(
      ({ chunks }) =>
        chunks.length >= 20 &&
        chunks.every((c) => c.duration > 0 && c.timing && Object.keys(c.timing).length > 0),
    );
    measureNulls(usable, scratch, say);
    measureInjections(usable, scratch, say);
    measureMissing(usable, scratch, say);
    measureCauses(all, say);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return [];
}

/** Healthy runs of one job: NAME-1, NAME-2, ..., and truth.json says "none". */
export const replicatesIn = (all) => [
  ...groupBy(
    all.filter(({ name, truth }) => truth?.cause === 'none' && /-\d+$/.test(name)),
    ({ name }) => name.replace(/-\d+$/, ''),
  ).values(),
];

function measureReplicates(all, say) {
  let pairs = 0;
  let different = 0;
  let numbers = 0;
  let claims = 0;
  for (const runs of replicatesIn(all)) {
    for (const a of runs) {
      for (const b of runs) {
        if (a === b) continue;
        const said = called(a.path, b.path);
        pairs += 1;
        different += said.different.length;
        numbers += said.rows.length;
        claims += partsOf(ask('verdict', a.path, b.path)).length > 0 ? 1 : 0;
      }
    }
  }
  if (pairs === 0) return;
  say('replicates: numbers called different', percent(different, numbers));
  say('replicates, in either order: openings that name a part', percent(claims, pairs));
}

function measureNulls(bundles, scratch, say) {
  const kinds = {
    '2 % a chunk': (random) => () => Math.exp(0.02 * random.normal()),
    '2 % a chunk, 3 % a run': (random) => {
      const pace = Math.exp(0.03 * random.normal());
      return () => pace * Math.exp(0.02 * random.normal());
    },
    // of a dataset's file: drawn over its files, a slow file's chunks would really have changed
    'chunks redrawn within datasets': (random, bundle) => {
      const placeOf = (chunk) => `${chunk.dataset} ${chunk.file}`;
      const of = groupBy(bundle.chunks, placeOf);
      const picked = new Map();
      return (chunk, section) => {
        if (!picked.has(chunk)) picked.set(chunk, random.among(of.get(placeOf(chunk))));
        const other = picked.get(chunk);
        const rest = (c) =>
          Math.max(0, c.duration - Object.values(c.timing).reduce((sum, x) => sum + x, 0));
        const seconds = (c) => (section === '' ? rest(c) : (c.timing[section] ?? 0));
        const [mine, its] = [seconds(chunk), seconds(other)];
        return mine > 0 && its > 0
          ? (its / mine) * ((chunk.num_events || 1) / (other.num_events || 1))
          : 1;
      };
    },
  };
  const random = randomNumbers(1);
  for (const [kind, draw] of Object.entries(kinds)) {
    let alarms = 0;
    let claims = 0;
    for (let i = 0; i < nulls; i += 1) {
      const bundle = bundles[i % bundles.length];
      const a = simulated(bundle, () => 1, join(scratch, 'a'));
      const b = simulated(bundle, draw(random, bundle), join(scratch, 'b'));
      alarms += called(a, b).different.length;
      claims += partsOf(ask('verdict', a, b)).length > 0 ? 1 : 0;
    }
    say(`nulls, ${kind}: false alarms per comparison`, (alarms / nulls).toFixed(2));
    say(`nulls, ${kind}: openings that claim a part`, percent(claims, nulls));
  }
}

const secondsOf = (chunks, section) =>
  chunks.reduce((sum, chunk) => sum + (section ? (chunk.timing[section] ?? 0) : chunk.duration), 0);

/** Where a slowdown can be put: what it takes of a chunk, and how it may be named. */
function placesIn(bundle) {
  const { chunks } = bundle;
  const distinct = (key) => [...new Set(chunks.map(key))];
  const sections = distinct((chunk) => Object.keys(chunk.timing).join('\n'))
    .flatMap((names) => names.split('\n'))
    .filter((name, i, names) => names.indexOf(name) === i)
    .filter((name) => secondsOf(chunks, name) >= least * secondsOf(chunks));
  const datasets = distinct((chunk) => chunk.dataset);
  const files = distinct((chunk) => chunk.file);
  const hosts = distinct((chunk) => /^\w+:\/\/([^/]+)/.exec(chunk.file ?? '')?.[1] ?? '').filter(
    Boolean,
  );
  const place = (kind, name, takes) => ({ kind, name, takes });
  return [
    ...sections.map((name) => place('section', name, (_, section) => section === name)),
    // what is all of a run is its pace
    ...(datasets.length > 1
      ? datasets.map((name) => place('dataset', name, (chunk) => chunk.dataset === name))
      : []),
    ...(files.length > 1
      ? files.map((name) => place('file', name, (chunk) => chunk.file === name))
      : []),
    ...(hosts.length > 1
      ? hosts.map((name) =>
          place('host', name, (chunk) => (chunk.file ?? '').includes(`//${name}`)),
        )
      : []),
    ...(workersOf(bundle) > 1 && chunks.length >= 20 * workersOf(bundle)
      ? [place('worker', 'tcp://10.0.0.1:1', (_chunk, _section, worker) => worker === 0)]
      : []),
  ];
}

const namesPlace = (part, { kind, name }, bundle) => {
  if (kind === 'section') return part.section === name;
  if (kind === 'worker') return part.kind === 'worker' && part.label.includes(name);
  if (kind === 'host') return part.kind === 'host' && part.file === name;
  if (kind === 'dataset') return part.dataset === name && !part.section;
  const dataset = bundle.chunks.find((chunk) => chunk.file === name)?.dataset;
  const alone = bundle.chunks.every((chunk) => chunk.dataset !== dataset || chunk.file === name);
  return (
    part.file === name || (kind === 'file' && alone && part.dataset === dataset && !part.section)
  );
};

function measureInjections(bundles, scratch, say) {
  const random = randomNumbers(2);
  const places = bundles.flatMap((bundle) => placesIn(bundle).map((place) => ({ bundle, place })));
  for (const kind of ['section', 'dataset', 'file', 'host', 'worker']) {
    const of = places.filter(({ place }) => place.kind === kind);
    if (of.length === 0) continue;
    let smallest;
    for (const size of [...sizes].reverse()) {
      let found = 0;
      let named = 0;
      for (let i = 0; i < drawn; i += 1) {
        const { bundle, place } = random.among(of);
        const a = simulated(bundle, () => 1, join(scratch, 'a'));
        const b = simulated(
          bundle,
          (chunk, section, worker) =>
            (place.takes(chunk, section, worker) ? 1 + size : 1) * Math.exp(0.02 * random.normal()),
          join(scratch, 'b'),
        );
        const parts = partsOf(ask('verdict', a, b));
        const isNamed = parts.some((part) => namesPlace(part, place, bundle));
        named += isNamed ? 1 : 0;
        const row =
          kind === 'file' || kind === 'worker'
            ? undefined
            : called(a, b).rows.find((one) => one.id === `${kind}.${place.name}`);
        found += (row ? row.verdict === 'worse' : isNamed) ? 1 : 0;
      }
      say(
        `${kind} slower by ${100 * size} %: found; named by the opening`,
        `${percent(found, drawn)}; ${percent(named, drawn)}`,
      );
      if (found >= 0.9 * drawn) smallest = size;
    }
    say(`${kind}: smallest found in 9 of 10`, smallest ? `${100 * smallest} %` : 'none of these');
  }
}

/** A run that lost two fifths of its chunks is no better run. */
function measureMissing(bundles, scratch, say) {
  const random = randomNumbers(3);
  let better = 0;
  for (const bundle of bundles) {
    const a = simulated(bundle, () => 1, join(scratch, 'a'));
    const kept = bundle.chunks.filter(() => random.uniform() >= 0.4);
    const events = kept.reduce((sum, chunk) => sum + chunk.num_events, 0);
    const b = simulated(
      { ...bundle, metrics: { ...bundle.metrics, total_events: events } },
      () => Math.exp(0.02 * random.normal()),
      join(scratch, 'b'),
      kept,
    );
    better += called(a, b).rows.filter((row) => row.verdict === 'better').length;
  }
  say(
    `two fifths of the chunks missing: numbers called better, ${bundles.length} runs`,
    `${better}`,
  );
}

/** Recorded pairs whose cause is known: what the opening says of them. */
function measureCauses(all, say) {
  for (const { name, path, truth } of all) {
    const before = all.find((bundle) => bundle.name === truth?.compare_with);
    if (!before || truth.cause === 'none' || before.name === name) continue;
    const verdict = ask('verdict', before.path, path);
    const { different } = called(before.path, path);
    say(
      `${before.name} → ${name} (${JSON.stringify(truth.where)})`,
      `${different.length} numbers; ${noteOf(verdict, 'sentence')}`,
    );
  }
}
