import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import {
  chunks,
  contentSecurityPolicy,
  notices,
  offlineWorker,
  preloadCore,
  singleFile,
} from './scripts/page-plugins.ts';
import { isSplit } from './scripts/split-core.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Has Chromium compile all functions while the page loads, in another thread: else each is compiled
 * when it is first called, which is when somebody waits for the first picture.
 */
const compiledAtOnce = '//# allFunctionsCalledOnLoad';

/** WebKit runs a worker's first module again when a later one imports it, and the worker begins anew. */
const inOneFile = { codeSplitting: false } as const;

/**
 * `vite build` makes the hosted page (dist/), `vite build --mode single` the one-file page
 * (dist/crema.html).
 */
export default defineConfig(({ command, mode }) => {
  const single = mode === 'single';
  // what is served at once is built quickly, what is published is built small (CMakePresets.json)
  const core = here(command === 'serve' ? 'build/quick' : 'build/wasm');
  const twin = single ? 'single' : command === 'build' && isSplit() ? 'split' : undefined;
  // one file has no import.meta, which only what it never runs asks for
  const checks = { emptyImportMeta: !single };
  return {
    root: here('web'),
    base: './',
    publicDir: single ? false : here('public'),
    resolve: {
      alias: [
        { find: 'crema-core', replacement: core },
        ...(twin
          ? [{ find: /.*\/engine\/create$/, replacement: here(`web/engine/create.${twin}.ts`) }]
          : []),
      ],
    },
    // Vite counts it among the assets only when asked to.
    assetsInclude: ['**/*.wasm'],
    plugins: single
      ? [singleFile('crema.html', `${core}/crema.wasm`)]
      : [contentSecurityPolicy(), preloadCore(), notices(), offlineWorker()],
    worker: { format: single ? 'iife' : 'es', rolldownOptions: { checks, output: inOneFile } },
    server: { fs: { allow: [here('.')] } },
    build: {
      outDir: here('dist'),
      emptyOutDir: !single,
      target: 'es2022',
      // its list of files would stand before the first line, where the request below has to be
      modulePreload: false,
      // sheets that one view alone needs come with it
      cssCodeSplit: !single,
      // The core is the only large file there is.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        checks,
        output: {
          postBanner: compiledAtOnce,
          ...(single ? { format: 'iife', codeSplitting: false } : { codeSplitting: chunks }),
        },
      },
      ...(single ? { assetsInlineLimit: Number.MAX_SAFE_INTEGER } : {}),
    },
  };
});
