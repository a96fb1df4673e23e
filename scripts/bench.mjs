// npm run bench: speed as ratios to a peer measured in the same run. Prints one line per figure and writes build/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstView } from '../tests/bench/first_view.mjs';
import { scatter } from '../tests/bench/scatter.mjs';
import { timelines } from '../tests/bench/timelines.mjs';
import { buildPreset, buildWasm } from './native.mjs';
import { buildPages } from './page.mjs';
import { main, root } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp(['wasm', 'native', 'browser']);
  await buildWasm();
  await buildPreset('native', ['crema']);
  await buildPages();
  const figures = [...(await firstView()), ...(await scatter()), ...(await timelines())];
  const shown = (value) => (value === undefined ? '–' : value.toFixed(1));
  console.log(`\n${'name'.padEnd(72)}${'ours'.padStart(10)}${'peer'.padStart(10)}${'ratio'.padStart(8)}`);
  for (const { name, ours, peer, unit, peerName } of figures) {
    const ratio = peer === undefined ? '–' : (ours / peer).toFixed(2);
    console.log(
      `${`${name} [${unit}]`.padEnd(72)}${shown(ours).padStart(10)}${shown(peer).padStart(10)}${ratio.padStart(8)}`,
    );
    if (peerName) console.log(`  peer: ${peerName}`);
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, 'build/bench.json'), `${JSON.stringify(figures, null, 2)}\n`);
});
