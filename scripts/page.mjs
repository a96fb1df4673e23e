// Builds the two pages and weighs them.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Failed, root, runPackage } from './run.mjs';

/**
 * What the page may weigh compressed: in all, the core alone, and what has to come before a file
 * can be dropped.
 */
const budgetKilobytes = 779;
const coreBudgetKilobytes = 557;
const firstBudgetKilobytes = 51;

/** dist/ and dist/crema.html. */
export async function buildPages() {
  await runPackage('vite/bin/vite.js', ['build', '--logLevel', 'warn']);
  await runPackage('vite/bin/vite.js', ['build', '--mode', 'single', '--logLevel', 'warn']);
  // The command line fills the single page where it finds it: beside itself.
  if (existsSync(join(root, 'build/native/crema'))) {
    cpSync(join(root, 'dist/crema.html'), join(root, 'build/native/crema.html'));
  }
}

/**
 * Prints what a visitor downloads: the core, scripts and styles. Fails when it is over the budget.
 */
export function weighPage() {
  const assets = join(root, 'dist/assets');
  const kilobytes = (bytes) => bytes / 1000;
  const rows = readdirSync(assets)
    .filter((name) => /\.(wasm|js|css)$/.test(name))
    .map((name) => {
      const content = readFileSync(join(assets, name));
      return [
        name,
        content.length,
        gzipSync(content, { level: 9 }).length,
        brotliCompressSync(content).length,
      ];
    });
  const page = readFileSync(join(root, 'dist/index.html'));
  const named = rows.filter(([name]) => /\.(js|css)$/.test(name) && page.includes(name));
  const first = named.reduce((sum, row) => sum + row[2], gzipSync(page, { level: 9 }).length);
  const core = rows.find(([name]) => name.endsWith('.wasm'));
  const total = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0));
  console.log(
    `\n${'page'.padEnd(32)}${['raw', 'gzip', 'brotli'].map((title) => title.padStart(10)).join('')}  [kB]`,
  );
  for (const [name, ...sizes] of [
    ...rows,
    [`in all (budget: ${budgetKilobytes} gzip)`, ...total],
  ]) {
    console.log(
      name.padEnd(32) + sizes.map((size) => kilobytes(size).toFixed(1).padStart(10)).join(''),
    );
  }
  const single = readFileSync(join(root, 'dist/crema.html'));
  console.log(
    `${'crema.html'.padEnd(32)}${kilobytes(single.length).toFixed(1).padStart(10)}${kilobytes(gzipSync(single).length).toFixed(1).padStart(10)}\n`,
  );
  console.log(
    `until a file can be dropped (budget: ${firstBudgetKilobytes} gzip): ${kilobytes(first).toFixed(1)} kB\n`,
  );
  if (kilobytes(first) > firstBudgetKilobytes)
    throw new Failed(`A file can be dropped only after more than ${firstBudgetKilobytes} kB.`);
  if (kilobytes(total[1]) > budgetKilobytes)
    throw new Failed(`The page weighs more than ${budgetKilobytes} kB compressed.`);
  if (kilobytes(core[2]) > coreBudgetKilobytes)
    throw new Failed(`The core weighs more than ${coreBudgetKilobytes} kB compressed.`);
}
