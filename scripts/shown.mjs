// npm run shown -- PYTHON...: what a user of the wheel does, in a fresh environment of each of these
// Pythons (python3.12 python3.13, or their paths); pictures of it are in build/shown.
import { buildPreset, buildWasm } from './native.mjs';
import { buildPages } from './page.mjs';
import { showWheel } from './python.mjs';
import { Failed, main } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  const pythons = process.argv.slice(2);
  if (pythons.length === 0)
    throw new Failed('Which Pythons? For example: npm run shown -- python3.12 python3.13');
  await setUp(['wasm', 'native', 'browser', 'python']);
  await buildPreset('native', ['crema']);
  await buildWasm();
  await buildPages();
  await showWheel(pythons);
});
