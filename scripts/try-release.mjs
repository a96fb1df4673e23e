// node scripts/try-release.mjs FOLDER: installs what a release consists of as its users do, in
// folders of their own with nothing else in them, and has each part read a recorded run.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, findPython } from './python.mjs';
import { Failed, main, root, run, seconds } from './run.mjs';

const recorded = join(root, 'tests/data/ab-before');

/** Has a `crema` answer, and write a report that holds the run. */
async function tryCommand(crema, cwd) {
  const asked = (...args) => run(...crema(args), { collect: true, cwd });
  const { output } = await asked('summary', recorded);
  if (!output.includes('Where the core-time went'))
    throw new Failed(`crema summary says:\n${output}`);
  await asked('export', recorded, '--to', 'html', '-o', 'report.html');
}

/** What is tried, by the name of its file in the release. */
const tries = {
  npm: [
    /\.tgz$/,
    async (file, cwd) => {
      writeFileSync(join(cwd, 'package.json'), '{"private": true}');
      await run('npm', ['install', '--silent', '--offline', file], { collect: true, cwd });
      await tryCommand((args) => ['npx', ['--no', 'crema', ...args]], cwd);
      await run('node', ['-e', 'await import("cremascope")'], { collect: true, cwd });
    },
  ],
  wheel: [
    /\.whl$/,
    async (file, cwd, python) => {
      await run(python, ['-m', 'venv', 'env'], { collect: true, cwd });
      const env = join(cwd, 'env');
      // of the wheels that there are, the one for this Python
      const only = ['--no-index', '--only-binary=:all:', '--find-links', dirname(file)];
      await run(bin('pip', env), ['install', '-q', ...only, 'cremascope'], { collect: true, cwd });
      await tryCommand((args) => [bin('crema', env), args], cwd);
      const code = 'import sys, cremascope; cremascope.open(sys.argv[1]).ask("budget")';
      await run(bin('python', env), ['-c', code, recorded], { collect: true, cwd });
    },
  ],
  program: [
    new RegExp(`-${process.platform}-${process.arch}\\.tar\\.gz$`),
    async (file, cwd) => {
      await run('tar', ['-xzf', file, '--strip-components', '1'], { cwd });
      await tryCommand((args) => [join(cwd, 'crema'), args], cwd);
    },
  ],
};

/** Tries each part that is in `folder`, the wheel in `python`; fails where one is not there. */
export async function tryRelease(folder, python) {
  for (const [name, [pattern, attempt]] of Object.entries(tries)) {
    const file = readdirSync(folder).find((one) => pattern.test(one));
    if (!file) throw new Failed(`There is no ${name} in ${folder}.`);
    const cwd = mkdtempSync(join(tmpdir(), `crema-${name}-`));
    const since = performance.now();
    try {
      await attempt(resolve(folder, file), cwd, python);
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
    console.log(`${file}: installed and tried in ${seconds(since)}`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(async () => {
    const folder = process.argv[2];
    if (!folder) throw new Failed('Which release? node scripts/try-release.mjs build/release');
    await tryRelease(folder, await findPython(10));
  });
