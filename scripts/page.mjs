// Builds the two pages and weighs them.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Failed, root, run, runPackage } from './run.mjs';
import { splitCore } from './split-core.mjs';

/**
 * What the page may weigh compressed [kB]: in all, the core alone, what has to come before a file
 * can be dropped, and before a first Summary is there.
 */
const budgets = { all: 1042, core: 804, first: 53, summary: 550 };

/** The scripts, styles and the half of the core that a first Summary needs; all of one in one piece. */
const ofSummary = /^(index|common|worker|first|crema)-/;

/** dist/ and dist/crema.html. */
export async function buildPages() {
  await splitCore();
  await runPackage('vite/bin/vite.js', ['build', '--logLevel', 'warn']);
  await runPackage('vite/bin/vite.js', ['build', '--mode', 'single', '--logLevel', 'warn']);
  giveSinglePage();
}

/** The command line, where it is built, fills the single page where it finds it: beside itself. */
export function giveSinglePage() {
  if (!existsSync(join(root, 'build/native/crema'))) return;
  cpSync(join(root, 'dist/crema.html'), join(root, 'build/native/crema.html'));
}

/**
 * Whether `version`, which em++ says of itself, is that of the reference compiler: Debian 12's.
 * Other compilers make more or less of the same core.
 */
export const isReferenceCompiler = (version) =>
  /\b3\.1\.6\b/.test(version) && /clang version 14\./.test(version);

/** Sentences on what weighs more [kB] than its budget. */
export function tooHeavy({ all, core, first, summary }) {
  return [
    first > budgets.first && `A file can be dropped only after more than ${budgets.first} kB.`,
    summary > budgets.summary && `A first Summary fetches more than ${budgets.summary} kB.`,
    all > budgets.all && `The page weighs more than ${budgets.all} kB compressed.`,
    core > budgets.core && `The core weighs more than ${budgets.core} kB compressed.`,
  ].filter(Boolean);
}

/**
 * Prints what a visitor downloads: the core, scripts and styles. Continuous integration with the
 * reference compiler fails over a budget; a user's build says so and goes on.
 */
export async function weighPage() {
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
  const sizeOf = (pattern) =>
    rows.filter(([name]) => pattern.test(name)).reduce((sum, row) => sum + row[2], 0);
  const core = sizeOf(/\.wasm$/);
  const summary = gzipSync(page, { level: 9 }).length + sizeOf(ofSummary);
  const total = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0));
  console.log(
    `\n${'page'.padEnd(32)}${['raw', 'gzip', 'brotli'].map((title) => title.padStart(10)).join('')}  [kB]`,
  );
  for (const [name, ...sizes] of [...rows, [`in all (budget: ${budgets.all} gzip)`, ...total]]) {
    console.log(
      name.padEnd(32) + sizes.map((size) => kilobytes(size).toFixed(1).padStart(10)).join(''),
    );
  }
  const single = readFileSync(join(root, 'dist/crema.html'));
  console.log(
    `${'crema.html'.padEnd(32)}${kilobytes(single.length).toFixed(1).padStart(10)}${kilobytes(gzipSync(single).length).toFixed(1).padStart(10)}\n`,
  );
  console.log(
    `until a file can be dropped (budget: ${budgets.first} gzip): ${kilobytes(first).toFixed(1)} kB\n` +
      `until a first Summary is there (budget: ${budgets.summary} gzip): ${kilobytes(summary).toFixed(1)} kB\n`,
  );
  const excess = tooHeavy({
    all: kilobytes(total[1]),
    core: kilobytes(core),
    first: kilobytes(first),
    summary: kilobytes(summary),
  });
  if (excess.length === 0) return;
  const { output } = await run('em++', ['-v'], { collect: true, tolerate: true });
  if (process.env.CI && isReferenceCompiler(output)) throw new Failed(excess.join('\n'));
  console.log(`${excess.join('\n')} The budgets are held with Emscripten 3.1.6 on Clang 14.\n`);
}
