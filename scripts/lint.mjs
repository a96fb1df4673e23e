// npm run lint, npm run format: Biome, the TypeScript compiler, clang-format.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPreset } from './native.mjs';
import { main, onPath, root, run, runPackage } from './run.mjs';
import { setUp } from './setup.mjs';

/** The release whose layout counts: others lay out some lines differently. */
const clangFormatVersion = 14;

/** Runs every check, also after one has failed; with `fix`, repairs what can be repaired. */
export async function lint({ fix = false } = {}) {
  const checks = {
    Biome: () =>
      runPackage('@biomejs/biome/bin/biome', ['check', ...(fix ? ['--write'] : [])], {
        tolerate: true,
      }),
    TypeScript: () => runPackage('typescript/bin/tsc', ['--noEmit'], { tolerate: true }),
  };
  const clangFormat = await findClangFormat();
  if (clangFormat) {
    const sources = ['core', 'cli', 'wasm', 'tests', 'python/native'].flatMap((folder) =>
      cppFiles(folder),
    );
    const how = fix ? ['-i'] : ['--dry-run', '--Werror'];
    checks['clang-format'] = () => run(clangFormat, [...how, ...sources], { tolerate: true });
  } else {
    console.log(`SKIPPED clang-format: version ${clangFormatVersion} is not installed.`);
  }

  const counts = { passed: 0, failed: 0, skipped: clangFormat ? 0 : 1 };
  for (const [name, check] of Object.entries(checks)) {
    const { code } = await check();
    if (code === 0) counts.passed += 1;
    else counts.failed += 1;
    if (code !== 0) console.error(`${name} has complaints.`);
  }
  return counts;
}

async function findClangFormat() {
  for (const path of [onPath(`clang-format-${clangFormatVersion}`), onPath('clang-format')]) {
    if (!path) continue;
    const { output } = await run(path, ['--version'], { collect: true, tolerate: true });
    if (output.includes(`version ${clangFormatVersion}.`)) return path;
  }
  return undefined;
}

function cppFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.[ch]pp$/.test(name))
    .map((name) => join(folder, name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setUp(['lint', 'native']);
    await buildPreset('native', ['crema']);
    const { failed } = await lint({ fix: process.argv.includes('--fix') });
    if (failed > 0) process.exitCode = 1;
  });
}
