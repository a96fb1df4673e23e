// npm run build: dist/ (the page), dist/crema.html (the page in one file), build/native/crema (the
// command line) with its manual and completions.
import { buildPreset, buildWasm } from './native.mjs';
import { buildPages, weighPage } from './page.mjs';
import { main } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp(['wasm', 'native']);
  // The core is linked on one processor, so the command line is built beside it, on what is left.
  let isLinked = false;
  const native = buildPreset('native', ['crema', 'crema_manual'], {
    isHeard: () => isLinked,
    nice: true,
  });
  await Promise.all([native, buildWasm().finally(() => (isLinked = true))]);
  await buildPages();
  await weighPage();
  console.log(
    'dist/              the page, for any static web server\ndist/crema.html    the page in one file\nbuild/native/crema the command line',
  );
});
