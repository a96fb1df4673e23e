// npm run tidy: clang-tidy (.clang-tidy) on core/, cli/ and wasm/; a quarter of an hour for all of
// them, or
//
//     npm run tidy -- core/read cli     only what lies there
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configurePreset } from './native.mjs';
import { Failed, main, onPath, root, run } from './run.mjs';
import { setUp } from './setup.mjs';

const folders = ['core', 'cli', 'wasm'];

/** How many files of `places` are clean and how many are not; undefined without clang-tidy. */
export async function tidy(places = folders) {
  const program = onPath('clang-tidy');
  if (!program) return undefined;
  await configurePreset('files');
  await configurePreset('wasm');
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.cpp') && places.some((place) => file.startsWith(place)));
  if (files.length === 0) throw new Failed(`No source lies in ${places.join(', ')}.`);
  // em++ is no compiler that clang-tidy knows: it is told what em++ tells the Clang below it
  const { output } = await run('em++', ['--cflags'], { collect: true });
  const wasmFlags = [
    ...output.trim().split(' '),
    '-std=c++20',
    '-I.',
    '-isystembuild/wasm/headers/nlohmann',
  ];
  const counts = { passed: 0, failed: 0 };
  const queue = [...files];
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const how = file.startsWith('wasm')
        ? [file, '--', ...wasmFlags]
        : ['-p', 'build/files', file];
      const { code, output: found } = await run(program, ['--quiet', ...how], {
        collect: true,
        tolerate: true,
      });
      if (code === 0) counts.passed += 1;
      else counts.failed += 1;
      if (code !== 0)
        console.error(
          found.replaceAll(/^.*(warnings? generated|Suppressed|Use -header-filter).*\n/gm, ''),
        );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setUp(['files', 'wasm', 'tidy']);
    const places = process.argv.slice(2);
    const counts = await tidy(places.length > 0 ? places : undefined);
    if (!counts) throw new Failed('This needs clang-tidy (Debian: clang-tidy).');
    console.log(`${counts.passed} files are clean, ${counts.failed} are not.`);
    if (counts.failed > 0) process.exitCode = 1;
  });
}
