// Whether predictions hold: recordings of known sizes predict each other, and what was measured is
// set against what was said. `npm run bench -- predictions --bundles FOLDER`. Recordings that are one
// series are called NAME-CORES (scale-wait-1, scale-wait-2, ...); which other one a recording is
// compared with, and what was changed in it, its truth.json says. Nothing here is tuned to them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failed, root } from '../../scripts/run.mjs';

const program = join(root, 'build/native/crema');

function ask(paths, question, options = {}) {
  const given = Object.entries(options).flatMap(([key, value]) => ['--option', `${key}=${value}`]);
  const json = execFileSync(program, ['ask', ...paths, question, ...given, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { rows, columns } = JSON.parse(json);
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
}

const seconds = (value) => (value === null ? '–' : value.toFixed(2));
const percent = (value) => `${(100 * value).toFixed(1)} %`;
const off = (predicted, measured) => Math.abs(predicted / measured - 1);
const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor((sorted.length - 1) / 2)];
};

/** Every bundle of the folder, unpacked where it is an archive. */
function bundlesIn(folder, scratch) {
  const found = [];
  for (const name of readdirSync(folder).sort()) {
    let path = join(folder, name);
    if (name.endsWith('.zip')) {
      execFileSync('unzip', ['-qo', path, '-d', scratch]);
      path = join(scratch, name.slice(0, -4));
    }
    if (!existsSync(path) || !statSync(path).isDirectory()) continue;
    if (!existsSync(join(path, 'metrics.json'))) continue;
    const truth = join(path, 'truth.json');
    found.push({
      name: name.replace(/\.zip$/, ''),
      path,
      truth: existsSync(truth) ? JSON.parse(readFileSync(truth, 'utf8')) : undefined,
    });
  }
  return found;
}

function replays(bundles) {
  console.log('\nreplay of the run itself');
  const errors = [];
  for (const bundle of bundles) {
    const [asItWas] = ask([bundle.path], 'whatif');
    if (!asItWas) continue;
    bundle.elapsed = asItWas.elapsed;
    bundle.events = asItWas.chunk_events;
    errors.push({ name: bundle.name, error: Math.abs(asItWas.calibration_error) });
  }
  for (const { name, error } of errors.filter((one) => one.error > 0.01))
    console.log(`  ${name.padEnd(26)}${percent(error)}`);
  const worst = Math.max(...errors.map(({ error }) => error));
  console.log(`  ${errors.length} runs: worst ${percent(worst)}, the others not above 1 %`);
}

/** Series of one work on several sizes, smallest first. */
function seriesOf(bundles) {
  const series = new Map();
  for (const bundle of bundles) {
    const match = /^(.*)-(\d+)$/.exec(bundle.name);
    const isSize =
      match && (bundle.truth ? bundle.truth.cause === 'scaling' : match[1] === 'scale');
    if (!isSize || !bundle.elapsed) continue;
    series.set(match[1], [...(series.get(match[1]) ?? []), { ...bundle, cores: +match[2] }]);
  }
  return [...series.values()].map((runs) => runs.toSorted((a, b) => a.cores - b.cores));
}

function predicted(from, to) {
  const rows = ask(
    from.map(({ path }) => path),
    'whatif',
    { cores: to.cores },
  );
  return rows[1];
}

function line(names, to, said) {
  const isHeld = said.elapsed_low <= to.elapsed && to.elapsed <= said.elapsed_high;
  const likely = said.elapsed === null ? 'not known' : percent(off(said.elapsed, to.elapsed));
  console.log(
    `  ${names.padEnd(44)}${seconds(to.elapsed).padStart(7)}${seconds(said.elapsed).padStart(8)}` +
      `  [${seconds(said.elapsed_low)}, ${seconds(said.elapsed_high)}]`.padEnd(20) +
      `${likely.padStart(12)}${isHeld ? '' : '   NOT HELD'}`,
  );
  return isHeld;
}

const heading = `${''.padEnd(46)}measured  likely  [low, high]             off`;

/** Each pair of recordings, one of them alone to the other's size. */
function alone(title, pairs) {
  console.log(`\n${title}\n${heading}`);
  let held = 0;
  let narrow = 0;
  for (const [from, to] of pairs) {
    const said = predicted([from], to);
    held += line(`${from.name} → ${to.cores}`, to, said) ? 1 : 0;
    narrow += said.elapsed_high <= 2 * said.elapsed_low ? 1 : 0;
  }
  console.log(`  band holds ${held} of ${pairs.length}, no wider than 2x ${narrow}`);
}

/** Recordings of too many threads, and the others of the same on fewer: nothing else was changed. */
function oversubscribed(bundles) {
  const coresOf = ({ path }) => Math.round(ask([path], 'whatif')[0].cores);
  const many = bundles.filter(({ truth }) => truth?.cause === 'oversubscribed');
  return many.flatMap((from) => {
    const named = bundles.find(({ name }) => name === from.truth.compare_with);
    if (!named) return [];
    const place = JSON.stringify(named.truth.where);
    const same = bundles.filter(
      ({ truth }) => truth?.cause === named.truth.cause && JSON.stringify(truth.where) === place,
    );
    return same
      .map((bundle) => ({ ...bundle, cores: coresOf(bundle) }))
      .filter(({ cores }) => cores !== coresOf(from))
      .map((to) => [from, to]);
  });
}

function sizes(bundles) {
  const series = seriesOf(bundles);
  console.log(`\nfrom all smaller sizes to the next\n${heading}`);
  const errors = [];
  let untold = 0;
  for (const runs of series) {
    for (let next = 1; next < runs.length; next += 1) {
      const from = runs.slice(0, next);
      const said = predicted(from.toReversed(), runs[next]);
      line(`${from.map(({ name }) => name).join(' + ')} → ${runs[next].cores}`, runs[next], said);
      if (said.elapsed === null) untold += 1;
      else errors.push(off(said.elapsed, runs[next].elapsed));
    }
  }
  console.log(
    `  told ${errors.length}: median ${percent(median(errors))}, worst ` +
      `${percent(Math.max(0, ...errors))}; cannot tell ${untold}`,
  );
  const steps = series.flatMap((runs) =>
    runs.slice(1).map((larger, index) => [runs[index], larger]),
  );
  alone('one run alone to the next size', steps);
  const down = series.flatMap((runs) =>
    runs.flatMap((from, index) => runs.slice(0, index).map((to) => [from, to])),
  );
  alone('one run alone to every smaller size', [...down, ...oversubscribed(bundles)]);
}

/** Pairs of which only the chunk size differs, both ways. */
function chunkSizes(bundles) {
  const named = new Map(bundles.map((bundle) => [bundle.name, bundle]));
  console.log('\nchunk size changed, both ways: measured, likely, band, off');
  const errors = [];
  for (const bundle of bundles) {
    if (!/^chunk(s-too|-size)/.test(bundle.truth?.cause ?? '')) continue;
    const other = named.get(bundle.truth.compare_with);
    if (!other) continue;
    for (const [from, to] of [
      [other, bundle],
      [bundle, other],
    ]) {
      const said = ask([from.path], 'whatif', { chunk_events: Math.round(to.events) }).find(
        ({ scenario }) => scenario.startsWith('chunks of '),
      );
      line(`${from.name} → ${to.events} events`, to, said);
      if (said.elapsed !== null) errors.push(off(said.elapsed, to.elapsed));
    }
  }
  console.log(
    `  told ${errors.length}: median ${percent(median(errors))}, worst ${percent(Math.max(0, ...errors))}`,
  );
}

/**
 * A part that takes a known factor longer. The machine's pace differs between two recordings by more
 * than the part does, so what was measured is also shown at the pace of the first: by the seconds of
 * all that was not changed.
 */
function slowerParts(bundles) {
  const named = new Map(bundles.map((bundle) => [bundle.name, bundle]));
  console.log('\na part made slower: measured, at the same pace, likely, off');
  const errors = [];
  for (const bundle of bundles) {
    const percentMore = /(\d+) % more work/.exec(bundle.truth?.magnitude ?? '');
    const { section, dataset } = bundle.truth?.where ?? {};
    const other = named.get(bundle.truth?.compare_with);
    // One cause only: another would be in what was not changed.
    const isAlone = !bundle.truth?.cause.includes('+');
    if (!percentMore || !isAlone || !other || !(section || dataset)) continue;
    const kind = section ? 'section' : 'dataset';
    const name = section ?? dataset;
    const factor = 1 + percentMore[1] / 100;
    const apart = ({ path }) => {
      const rows = ask([path], `${kind}s`);
      const own = rows.find((row) => row.name === name);
      const all = ask([path], 'datasets').reduce((sum, row) => sum + row.seconds, 0);
      return all - own.seconds;
    };
    const pace = apart(bundle) / apart(other);
    const said = ask([other.path], 'whatif', { part: `${kind}:${name}`, times: 1 / factor })[1];
    const atPace = bundle.elapsed / pace;
    errors.push(off(said.elapsed, atPace));
    console.log(
      `  ${`${other.name} → ${kind} ${name} x ${factor}`.padEnd(48)}` +
        `${seconds(bundle.elapsed).padStart(7)}${seconds(atPace).padStart(8)}` +
        `${seconds(said.elapsed).padStart(8)}${percent(errors.at(-1)).padStart(9)}`,
    );
  }
  console.log(`  median ${percent(median(errors))}, worst ${percent(Math.max(0, ...errors))}`);
}

/** Prints what was predicted beside what was measured; no figures of speed. */
export async function predictions({ bundles: folder }) {
  if (!folder || !existsSync(folder))
    throw new Failed('predictions needs --bundles FOLDER: recordings of several sizes');
  const scratch = mkdtempSync(join(tmpdir(), 'crema-predictions-'));
  try {
    const bundles = bundlesIn(folder, scratch);
    replays(bundles);
    sizes(bundles);
    chunkSizes(bundles);
    slowerParts(bundles);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return [];
}
