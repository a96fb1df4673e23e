// Makes public/samples/ from tests/data/: `node scripts/make-samples.mjs`, after `npm run build`.
// Its results are committed.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

const root = new URL('../', import.meta.url);
const crema = fileURLToPath(new URL('build/native/crema', root));

const samples = [
  {
    file: 'local-4x1.zip',
    title: 'A Z′ search on four workers',
    description: 'One run on a laptop: metrics, fine metrics and a profile of every worker.',
    bundles: ['local-4x1'],
  },
  {
    file: 'adaptive.zip',
    title: 'Workers that come and go',
    description:
      'An adaptive cluster from two to five workers and back; one of them was killed on the way.',
    bundles: ['adaptive'],
  },
  {
    file: 'before-after.zip',
    title: 'Before and after',
    description:
      'Two runs of one analysis; in the second the dimuon selection does three times the work.',
    bundles: ['ab-before', 'ab-after'],
  },
];

// What a user does not have: the tests' own knowledge. And what only repeats other files.
const leftOut = ['oracle.json', 'profile_by_key.json.gz'];

// The same input gives the same bytes.
const lastModDate = new Date(Date.UTC(2026, 10, 21));

/** The answer of the command line, as rows. */
async function ask(bundle, question) {
  const path = fileURLToPath(new URL(`tests/data/${bundle}`, root));
  const { stdout } = await promisify(execFile)(crema, ['ask', path, question, '--json'], {
    maxBuffer: 2 ** 28,
  });
  const { rows, columns } = JSON.parse(stdout);
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
}

/**
 * What the start page shows of a run before it is opened: the parts of its budget and four numbers.
 */
async function preview(bundle) {
  const budget = await ask(bundle, 'budget');
  const summary = new Map((await ask(bundle, 'summary')).map(({ id, value }) => [id, value]));
  const rounded = (value) => (value === null ? null : Number(value.toPrecision(6)));
  const parts = budget
    .filter(({ split, fraction }) => split === 'phase' && fraction > 0)
    .map(({ part, fraction }) => ({ part, fraction: rounded(fraction) }));
  return {
    name: bundle,
    chunks: summary.get('num_chunks'),
    events: summary.get('total_events'),
    elapsed_seconds: rounded(summary.get('elapsed_time_seconds')),
    process_fraction: rounded(summary.get('process_fraction')),
    budget: parts,
  };
}

const folder = new URL('public/samples/', root);
await mkdir(folder, { recursive: true });
const index = [];
for (const { file, title, description, bundles } of samples) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), {
    lastModDate,
    extendedTimestamp: false,
    useWebWorkers: false,
  });
  for (const bundle of bundles) {
    const source = new URL(`tests/data/${bundle}/`, root);
    for (const name of (await readdir(source)).sort()) {
      if (leftOut.includes(name)) continue;
      const level = name.endsWith('.gz') ? 0 : 9;
      await zip.add(
        `${bundle}/${name}`,
        new Uint8ArrayReader(await readFile(new URL(name, source))),
        { level },
      );
    }
  }
  const content = await zip.close();
  await writeFile(new URL(file, folder), content);
  index.push({
    title,
    file,
    bytes: content.length,
    description,
    runs: await Promise.all(bundles.map(preview)),
  });
}
await writeFile(new URL('samples.json', folder), `${JSON.stringify(index, null, 2)}\n`);
console.log(index.map(({ file, bytes }) => `${file} ${bytes} bytes`).join('\n'));
