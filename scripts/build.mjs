// npm run build: dist/ (the page), dist/crema.html (the page in one file), build/native/crema (the
// command line) with its manual and completions.
import { buildPreset, buildWasm } from './native.mjs';
import { buildPages, giveSinglePage, weighPage } from './page.mjs';
import { main } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  // The core is linked, and the pages are built, on one processor: the command line is built beside it, on what is left.
  let isLinked = false;
  let native;
  await setUp(['wasm', 'native'], {
    first: ['native'],
    begin: () => {
      native = buildPreset('native', ['crema', 'crema_manual'], {
        isHeard: () => isLinked,
        nice: true,
      });
      // Should it fail while others are installed, it is said below.
      native.catch(() => undefined);
    },
  });
  const page = async () => {
    await buildWasm().finally(() => (isLinked = true));
    await buildPages();
  };
  await Promise.all([native, page()]);
  giveSinglePage();
  await weighPage();
  console.log(
    'dist/              the page, for any static web server\ndist/crema.html    the page in one file\nbuild/native/crema the command line',
  );
});
