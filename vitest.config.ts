import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { 'crema-core': here('build/wasm') } };

/**
 * No test is about time: this ends what hangs, also on a machine that is busy with other things.
 */
const hang = { testTimeout: 600_000, hookTimeout: 600_000 };

/** One project per stage of `npm test`. */
export default defineConfig({
  test: {
    // one processor fewer is the default: on two a half
    maxWorkers: '100%',
    projects: [
      {
        resolve,
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: { name: 'web', include: ['tests/web/**/*.test.{ts,tsx}'], ...hang },
      },
      { resolve, test: { name: 'wasm', include: ['tests/wasm/**/*.test.ts'], ...hang } },
      { test: { name: 'cli', include: ['tests/cli/**/*.test.ts'], ...hang } },
      { test: { name: 'docs', include: ['tests/docs/**/*.test.ts'], ...hang } },
      { test: { name: 'package', include: ['tests/package/**/*.test.ts'], ...hang } },
      {
        resolve,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          // on two cores one browser leaves half of the time unused; more than two need memory
          maxWorkers: 2,
          ...hang,
        },
      },
    ],
  },
});
