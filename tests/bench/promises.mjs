// Whether a promise is kept: "a dataset slower by 63 %, or a section slower by 40 %, would have been
// detected". Changes of exactly that size are put into real recordings, and counted is how often
// `compare` finds them: `npm run bench -- promises --bundles FOLDER`, whose healthy replicates
// (NAME-1, NAME-2, ..., cause "none" in truth.json) are held against each other. Chunks keep their
// starts and take longer; the elapsed time is longer by as much on all cores. No size is promised of
// a file: each is made slower by what is promised of a dataset.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, bundlesIn, called, noteOf, partsOf, percent, replicatesIn } from './verdicts.mjs';

const least = 0.01; // of process(): nothing is promised of smaller sections
const apart = [1, 3]; // a run is held against the next one, and the third

const sum = (values) => values.reduce((all, one) => all + one, 0);

/** The bundle with chunks that take longer: `more(chunk)` are its new seconds by section. */
function slower(bundle, more, into) {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  for (const name of readdirSync(bundle.path)) {
    // rows of `crema.record` have the chunks as they were
    if (name !== 'metrics.json' && !name.startsWith('tasks'))
      symlinkSync(join(bundle.path, name), join(into, name));
  }
  let extra = 0;
  const chunks = bundle.chunks.map((chunk) => {
    const { timing, seconds } = more(chunk);
    extra += seconds;
    return {
      ...chunk,
      timing,
      duration: chunk.duration + seconds,
      t_end: chunk.t_end + seconds,
    };
  });
  writeFileSync(
    join(into, 'metrics.json'),
    JSON.stringify({
      ...bundle.metrics,
      elapsed_time_seconds:
        (bundle.metrics.elapsed_time_seconds ?? elapsedOf(bundle.chunks)) +
        extra / Math.max(1, bundle.metrics.total_cores ?? 1),
      raw_chunk_metrics: chunks,
    }),
  );
  return into;
}

const elapsedOf = (chunks) =>
  Math.max(...chunks.map((chunk) => chunk.t_end)) -
  Math.min(...chunks.map((chunk) => chunk.t_start));

const byDataset = (name, share) => (chunk) => {
  const by = chunk.dataset === name ? share : 0;
  const timing = Object.fromEntries(
    Object.entries(chunk.timing).map(([section, seconds]) => [section, seconds * (1 + by)]),
  );
  return { timing, seconds: by * chunk.duration };
};
const byFile = (name, share) => (chunk) =>
  byDataset(chunk.dataset, chunk.file === name ? share : 0)(chunk);
const bySection = (name, share) => (chunk) => {
  const seconds = share * (chunk.timing[name] ?? 0);
  return { timing: { ...chunk.timing, [name]: (chunk.timing[name] ?? 0) + seconds }, seconds };
};

/** Prints the table; returns no figures of speed. */
export function promises({ bundles: folder }) {
  const scratch = mkdtempSync(join(tmpdir(), 'crema-promises-'));
  const tried = { dataset: [], section: [], file: [] };
  const sizes = { dataset: [], section: [], file: [] };
  let silent = 0;
  try {
    for (const runs of replicatesIn(bundlesIn(folder, scratch))) {
      for (const [i, a] of runs.entries()) {
        for (const step of apart) {
          const b = runs[(i + step) % runs.length];
          if (a === b) continue;
          const verdict = ask('verdict', a.path, b.path);
          const insert = (kind, names, change) => {
            const promised = noteOf(verdict, `${kind === 'file' ? 'dataset' : kind}_would_show`);
            if (!promised) {
              silent += 1;
              return;
            }
            sizes[kind].push(promised);
            for (const name of names) {
              const changed = slower(b, change(name, promised), join(scratch, 'changed'));
              if (kind === 'file') {
                const { dataset } = b.chunks.find((chunk) => chunk.file === name);
                const parts = partsOf(ask('verdict', a.path, changed));
                tried.file.push(parts.some((one) => one.file === name || one.dataset === dataset));
                continue;
              }
              const row = called(a.path, changed).rows.find((one) => one.id === `${kind}.${name}`);
              if (row === undefined) continue;
              tried[kind].push(row.verdict === 'worse');
            }
          };
          insert('dataset', new Set(b.chunks.map((chunk) => chunk.dataset)), byDataset);
          insert('file', new Set(b.chunks.map((chunk) => chunk.file)), byFile);
          const sections = new Set(b.chunks.flatMap((c) => Object.keys(c.timing)));
          const inAll = sum(b.chunks.map((c) => c.duration));
          const isLarge = (name) => sum(b.chunks.map((c) => c.timing[name] ?? 0)) >= least * inAll;
          insert('section', [...sections].filter(isLarge), bySection);
        }
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const kind of ['dataset', 'section', 'file']) {
    const median = sizes[kind].sort((x, y) => x - y)[Math.floor(sizes[kind].length / 2)] ?? 0;
    const found = percent(sum(tried[kind].map(Number)), tried[kind].length);
    console.log(
      `${kind} slower by what is promised (median ${(100 * median).toFixed(0)} %): found ${found}`,
    );
  }
  if (silent > 0) console.log(`no promise for a kind of part in ${silent} comparisons`);
  return [];
}
