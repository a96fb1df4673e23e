// npm run coverage: which lines of core/ the native tests run, by file, from Clang's own counters.
import { join, relative } from 'node:path';
import { buildPreset } from './native.mjs';
import { Failed, main, onPath, root, run } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp(['coverage']);
  const [cov, profdata] = ['llvm-cov', 'llvm-profdata'].map((tool) => onPath(tool));
  if (!cov || !profdata || !onPath('clang++'))
    throw new Failed('Coverage needs Clang and llvm-cov (Debian: clang, llvm).');
  await buildPreset('coverage', ['crema_tests']);
  const program = join(root, 'build/coverage/tests/crema_tests');
  const raw = join(root, 'build/coverage/tests.profraw');
  const merged = join(root, 'build/coverage/tests.profdata');
  await run(program, [], { env: { LLVM_PROFILE_FILE: raw }, collect: true });
  await run(profdata, ['merge', '-sparse', raw, '-o', merged]);
  const { output } = await run(
    cov,
    ['export', '-summary-only', `-instr-profile=${merged}`, program],
    {
      collect: true,
    },
  );
  const { files } = JSON.parse(output).data[0];
  const rows = files
    .map(({ filename, summary }) => ({ file: relative(root, filename), ...summary.lines }))
    .filter(({ file }) => file.startsWith('core/'))
    .sort((a, b) => a.percent - b.percent);
  for (const { file, count, covered, percent } of rows)
    console.log(
      `${file.padEnd(44)}${String(covered).padStart(6)} of ${String(count).padStart(5)}${percent.toFixed(1).padStart(8)} %`,
    );
  if (rows.length === 0) throw new Failed('llvm-cov names no file of core/.');
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(
    `\nlines of core/: ${((100 * sum('covered')) / sum('count')).toFixed(1)} % of ${sum('count')}`,
  );
});
