// Makes public/samples/ from tests/data/: `node scripts/make-samples.mjs`. Its results are committed.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

const root = new URL('../', import.meta.url);

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
    description: 'An adaptive cluster from two to five workers and back; one of them was killed on the way.',
    bundles: ['adaptive'],
  },
  {
    file: 'before-after.zip',
    title: 'Before and after',
    description: 'Two runs of one analysis; in the second the dimuon selection does three times the work.',
    bundles: ['ab-before', 'ab-after'],
  },
];

// What a user does not have: the tests' own knowledge. And what only repeats other files.
const leftOut = ['oracle.json', 'profile_by_key.json.gz'];

// The same input gives the same bytes.
const lastModDate = new Date(Date.UTC(2026, 10, 21));

const folder = new URL('public/samples/', root);
await mkdir(folder, { recursive: true });
const index = [];
for (const { file, title, description, bundles } of samples) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { lastModDate, extendedTimestamp: false, useWebWorkers: false });
  for (const bundle of bundles) {
    const source = new URL(`tests/data/${bundle}/`, root);
    for (const name of (await readdir(source)).sort()) {
      if (leftOut.includes(name)) continue;
      const level = name.endsWith('.gz') ? 0 : 9;
      await zip.add(`${bundle}/${name}`, new Uint8ArrayReader(await readFile(new URL(name, source))), { level });
    }
  }
  const content = await zip.close();
  await writeFile(new URL(file, folder), content);
  index.push({ title, file, bytes: content.length, description });
}
await writeFile(new URL('samples.json', folder), `${JSON.stringify(index, null, 2)}\n`);
console.log(index.map(({ file, bytes }) => `${file} ${bytes} bytes`).join('\n'));
