import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { 'crema-core': here('build/wasm') } };

/** One project per stage of `npm test`. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: { name: 'web', include: ['tests/web/**/*.test.{ts,tsx}'], testTimeout: 60_000 },
      },
      { resolve, test: { name: 'wasm', include: ['tests/wasm/**/*.test.ts'], testTimeout: 120_000 } },
      { test: { name: 'package', include: ['tests/package/**/*.test.ts'], testTimeout: 60_000 } },
      {
        resolve,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          // One browser at a time: two cores are soon full.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
