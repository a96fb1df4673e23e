// Whether changes of a history are found where they are, and no others: 200 simulated series of
// nightly runs, as digests through the command line. Beside them Apache Otava, where a Python that
// has it is named: OTAVA_PYTHON=…/python npm run bench -- changes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { gaussian, randomOf } from './random.mjs';

const program = join(root, 'build/native/crema');

const seriesOfAKind = 25;
const runsOfASeries = 100;
/** A change counts as found where it is told so near. */
const near = 2;
const noise = 0.02;
/** Of the replicates, each shuffled anew; and of a recorded fault, put in behind them. */
const orders = 50;
const copies = 12;

/** What a run is, besides noise: a factor, and how large its noise is. */
const kinds = {
  'no change': () => ({}),
  'step of 2 %': ({ i, at }) => ({ factor: i < at ? 1 : 1.02 }),
  'step of 5 %': ({ i, at }) => ({ factor: i < at ? 1 : 1.05 }),
  'step of 10 %': ({ i, at }) => ({ factor: i < at ? 1 : 1.1 }),
  'two opposite steps of 5 %': ({ i, at }) => ({ factor: i < at || i >= at + 20 ? 1 : 1.05 }),
  'slope of 10 %': ({ i }) => ({ factor: 1 + (0.1 * i) / runsOfASeries }),
  'outliers, one in twenty': ({ random }) => ({ scale: random() < 0.05 ? 10 : 1 }),
  'noise three times as large from the middle on': ({ i }) => ({
    scale: i < runsOfASeries / 2 ? 1 : 3,
  }),
};

/** Where series of a kind have their changes. */
const placesOf = (kind, at) =>
  kind.startsWith('step') ? [at] : kind.startsWith('two') ? [at, at + 20] : [];

function seriesOf(kind, seed) {
  const random = randomOf(seed);
  const normal = gaussian(random);
  const at = 15 + Math.floor(random() * (kind.startsWith('two') ? 50 : 70));
  const values = Array.from({ length: runsOfASeries }, (_, i) => {
    const { factor = 1, scale = 1 } = kinds[kind]({ i, at, random });
    return 200 * factor * Math.exp(noise * scale * normal());
  });
  return { kind, values, places: placesOf(kind, at) };
}

/** A digest with one number, a day after the one before. */
const digest = (seconds, i) => ({
  crema_digest: 1,
  started_at: 1.76e9 + 86400 * i,
  answers: [
    {
      question: 'summary',
      columns: [
        { name: 'id', type: 'text', values: ['total_events', 'total_cpu_time'] },
        { name: 'value', type: 'number', values: [1e6, seconds] },
      ],
    },
  ],
});

function foundByCrema(all, scratch) {
  return all.map(({ values }) => {
    const folder = mkdtempSync(join(scratch, 'series-'));
    values.forEach((value, i) => {
      const name = `run-${String(i).padStart(3, '0')}.digest.json`;
      writeFileSync(join(folder, name), JSON.stringify(digest(value, i)));
    });
    const answer = JSON.parse(
      execFileSync(program, ['ask', folder, 'history_levels', '--json'], { maxBuffer: 1 << 26 }),
    );
    rmSync(folder, { recursive: true });
    const column = (name) => answer.columns.find((one) => one.name === name).values;
    return column('begin').filter((_, row) => column('change')[row] !== null);
  });
}

function foundByOtava(all) {
  if (!process.env.OTAVA_PYTHON) return undefined;
  const input = JSON.stringify(all.map(({ values }) => values));
  const script = join(root, 'tests/bench/otava_changes.py');
  return JSON.parse(
    execFileSync(process.env.OTAVA_PYTHON, [script], {
      input,
      maxBuffer: 1 << 26,
      encoding: 'utf8',
    }),
  );
}

/** Of the true places those that are found, and how many others are told. */
function score(all, found) {
  const result = { places: 0, hits: 0, others: 0, runs: 0 };
  for (const [number, { values, places }] of all.entries()) {
    const left = [...found[number]];
    for (const place of places) {
      const hit = left.findIndex((told) => Math.abs(told - place) <= near);
      if (hit >= 0) left.splice(hit, 1);
      result.hits += hit >= 0 ? 1 : 0;
    }
    result.places += places.length;
    result.others += left.length;
    result.runs += values.length;
  }
  return result;
}

const scoreText = ({ places, hits, others, runs }) =>
  `${places > 0 ? `${((100 * hits) / places).toFixed(1)} % found` : '        –    '}, ${((1000 * others) / runs).toFixed(2)} others per 1,000 runs`;

/** What of a digest's summary the speed of a machine changes, and how. */
const powers = {
  total_cpu_time: 1,
  elapsed_time_seconds: 1,
  time_to_first_chunk: 1,
  event_rate_elapsed_khz: -1,
  event_rate_core_khz: -1,
};

/** The same run on a machine that is so many times slower. */
function redrawn(digest, factor) {
  const copy = structuredClone(digest);
  for (const { question, columns } of copy.answers) {
    const ids = columns.find(({ name }) => name === 'id')?.values;
    for (const column of columns) {
      if (question === 'summary' && column.name === 'value')
        column.values = column.values.map(
          (value, row) => value && value * factor ** (powers[ids[row]] ?? 0),
        );
      if (column.name === 'seconds' || column.name === 'core_seconds')
        column.values = column.values.map((value) => value && value * factor);
    }
  }
  return copy;
}

const summaryOf = (digest, id) => {
  const { columns } = digest.answers.find(({ question }) => question === 'summary');
  const column = (name) => columns.find((one) => one.name === name).values;
  return column('value')[column('id').indexOf(id)];
};

/** What the program says of digests in this order: its sentence, and where changes are. */
function told(digests, scratch) {
  const folder = mkdtempSync(join(scratch, 'season-'));
  digests.forEach((digest, i) => {
    const name = `run-${String(i).padStart(3, '0')}.digest.json`;
    const dated = { ...digest, started_at: 1.76e9 + 86400 * i };
    writeFileSync(join(folder, name), JSON.stringify(dated));
  });
  const { notes, columns } = JSON.parse(
    execFileSync(program, ['ask', folder, 'history_levels', '--json'], { maxBuffer: 1 << 26 }),
  );
  rmSync(folder, { recursive: true });
  const column = (name) => columns.find((one) => one.name === name).values;
  const changes = column('begin').filter((_, row) => column('change')[row] !== null);
  return { verdict: notes.verdict, changes };
}

/**
 * Recorded runs with a known fault, put in from some point on: copies of it, each with the speed of
 * the machine of a replicate that is drawn; and the replicates alone, in many orders.
 */
function onRecordedRuns(bundles, scratch) {
  const truths = readFileSync(join(bundles, 'truth.jsonl'), 'utf8').trim().split('\n');
  const digestOf = (name) =>
    JSON.parse(
      execFileSync(program, ['digest', join(bundles, `${name}.zip`)], { encoding: 'utf8' }),
    );
  const cases = truths.map((line) => JSON.parse(line));
  const replicates = cases.filter(({ name }) => /^baseline-/.test(name));
  const baseline = replicates.map(({ name }) => digestOf(name));
  const random = randomOf(7);
  const among = (list) => list[Math.floor(random() * list.length)];
  const shuffled = (list) =>
    list
      .map((one) => [random(), one])
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  let others = 0;
  for (let i = 0; i < orders; i += 1) others += told(shuffled(baseline), scratch).changes.length;
  console.log(
    `${baseline.length} replicates in ${orders} orders: ${others} changes told (none is there)`,
  );
  const seconds = baseline.map((one) => summaryOf(one, 'total_cpu_time'));
  const middle = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
  for (const { name, cause, where } of cases) {
    if (/^(baseline|scale)-/.test(name) || cause === 'none') continue;
    const fault = digestOf(name);
    const before = [...shuffled(baseline), ...shuffled(baseline)];
    const after = Array.from({ length: copies }, () => redrawn(fault, among(seconds) / middle));
    const { verdict, changes } = told([...before, ...after], scratch);
    const isFound = changes.some((at) => Math.abs(at - before.length) <= near);
    console.log(`${isFound ? 'found ' : 'not   '} ${name} (${JSON.stringify(where)}): ${verdict}`);
  }
}

export function changes({ bundles } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'crema-changes-'));
  try {
    if (bundles) {
      onRecordedRuns(bundles, scratch);
      return [];
    }
    const all = Object.keys(kinds).flatMap((kind, k) =>
      Array.from({ length: seriesOfAKind }, (_, i) => seriesOf(kind, 1000 * k + i)),
    );
    const tools = { crema: foundByCrema(all, scratch), otava: foundByOtava(all) };
    console.log(
      `${all.length} series of ${runsOfASeries} runs, ${100 * noise} % noise; found: told within ${near} runs of the place`,
    );
    for (const [tool, found] of Object.entries(tools)) {
      if (!found) continue;
      for (const kind of [...Object.keys(kinds), 'all']) {
        const own = [...all.keys()].filter((i) => kind === 'all' || all[i].kind === kind);
        const result = score(
          own.map((i) => all[i]),
          own.map((i) => found[i]),
        );
        console.log(`${tool.padEnd(6)} ${kind.padEnd(47)} ${scoreText(result)}`);
      }
    }
    if (!tools.otava) console.log('(Apache Otava: name a Python that has it in OTAVA_PYTHON)');
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return [];
}
