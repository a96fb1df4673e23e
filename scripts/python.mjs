// The Python package: its page, its environment of pinned packages, its tests. `node
// scripts/python.mjs` makes the wheel.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium } from './browsers.mjs';
import { buildPreset, buildWasm, compiler } from './native.mjs';
import { buildPages } from './page.mjs';
import { presets } from './presets.mjs';
import { Failed, main, root, run } from './run.mjs';
import { setUp } from './setup.mjs';

const folder = join(root, 'python');
const environment = join(root, 'build', 'python');
const bin = (name) =>
  process.platform === 'win32'
    ? join(environment, 'Scripts', `${name}.exe`)
    : join(environment, 'bin', name);

/** The Python of the environment. */
export const python = () => bin('python');

/** roastcoffea's own bounds leave out the Python of Debian stable, on which it works. */
const roastcoffea = 'roastcoffea==0.1.2';

/**
 * The Python that CREMA_PYTHON names, else one of 3.`least` or newer that can make environments,
 * newest first as far as roastcoffea goes; undefined when there is none.
 */
async function findPython(least) {
  const named = process.env.CREMA_PYTHON;
  const usual = ['python3.13', 'python3.12', 'python3.14', 'python3.11', 'python3.10', 'python3'];
  for (const name of named ? [named] : usual) {
    const check = `import ensurepip, sys, venv; sys.exit(sys.version_info < (3, ${least}))`;
    try {
      if ((await run(name, ['-c', check], { collect: true, tolerate: true })).code === 0)
        return name;
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem; // not installed
    }
  }
  return undefined;
}

/**
 * What an environment can hold, least first: a lock file, packages whose own bounds are not heeded,
 * and the oldest Python 3 that all of it is there for.
 */
const kinds = {
  check: { lock: join(folder, 'requirements', 'check.txt'), extra: [], least: 10 },
  whole: { lock: join(folder, 'requirements', 'whole.txt'), extra: [roastcoffea], least: 12 },
};

const stamp = join(environment, 'crema-packages');
const stampOf = ({ lock, extra }) =>
  createHash('sha256')
    .update(readFileSync(lock))
    .update([...extra, process.env.CREMA_PYTHON].join())
    .digest('hex');

/**
 * Makes the environment where it is not there or its packages have changed. False, with the reason
 * said, when it cannot be.
 */
export async function makeEnvironment({ whole }) {
  const here = existsSync(stamp) && readFileSync(stamp, 'utf8');
  if (here === stampOf(kinds.whole) || (!whole && here === stampOf(kinds.check))) return true;
  const { lock, extra, least } = whole ? kinds.whole : kinds.check;
  const found = await findPython(least);
  if (!found) {
    console.log(
      `\n*** No Python tests: they need Python 3.${least} or newer with venv (Debian: python3-venv). ***\n`,
    );
    return false;
  }
  console.log(`Installing the Python packages (${whole ? 'some minutes, 1 GB' : 'a moment'}) ...`);
  rmSync(environment, { recursive: true, force: true });
  const pip = (...args) =>
    run(python(), ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', ...args], {
      collect: true,
    });
  try {
    await run(found, ['-m', 'venv', environment], { collect: true });
    await pip('-r', lock);
    if (extra.length > 0) await pip('--no-deps', '--ignore-requires-python', ...extra);
  } catch (problem) {
    if (!(problem instanceof Failed)) throw problem;
    console.log(
      `\n*** No Python tests: the packages cannot be installed. ***\n${problem.message}\n`,
    );
    return false;
  }
  writeFileSync(stamp, stampOf({ lock, extra }));
  return true;
}

/** The wheel, of the libraries of the native build and of the page; returns its path. */
export async function buildWheel(sources = folder) {
  const wheels = join(root, 'build', 'wheels');
  rmSync(wheels, { recursive: true, force: true });
  mkdirSync(wheels, { recursive: true });
  const native = join(root, presets.native.folder);
  await run(
    python(),
    [
      ...['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', wheels],
      ...[`--config-settings=cmake.define.CREMA_BUILT=${native}`, sources],
    ],
    { collect: true, env: compiler() },
  );
  return join(wheels, readdirSync(wheels)[0]);
}

/**
 * Lints and types the package, then tests the installed wheel: without `whole` what needs no more
 * than Python, with it also a Dask cluster and a JupyterLab in Chromium.
 */
export async function pythonTests({ whole: wanted }) {
  const whole = wanted && (await findPython(kinds.whole.least)) !== undefined;
  if (wanted && !whole)
    console.log(`No cluster and no JupyterLab: they need Python 3.${kinds.whole.least} or newer.`);
  await buildPreset('native', ['crema']);
  if (whole || !existsSync(join(root, 'dist', 'crema.html'))) {
    await buildWasm();
    await buildPages();
  }
  if (!(await makeEnvironment({ whole }))) return { passed: 0, failed: 0, skipped: 1 };
  await run(
    python(),
    ['-m', 'pip', 'install', '-q', '--no-deps', '--force-reinstall', await buildWheel()],
    {
      collect: true,
    },
  );

  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [tool, ...args] of [
    ['ruff', 'check', folder],
    ['ruff', 'format', '--check', '-q', folder],
    ['mypy', '--config-file', join(folder, 'pyproject.toml'), join(folder, 'cremascope')],
  ]) {
    const { code } = await run(bin(tool), args, { tolerate: true });
    if (code === 0) counts.passed += 1;
    else counts.failed += 1;
  }

  const report = join(root, 'build', 'python-tests.xml');
  rmSync(report, { force: true });
  const chosen = whole ? [] : ['--ignore', join(folder, 'tests', 'whole')];
  const chromium = findChromium();
  // from its folder the tests would find the sources instead of the wheel
  const args = [
    '-q',
    '-c',
    join(folder, 'pyproject.toml'),
    '--rootdir',
    folder,
    `--junitxml=${report}`,
    ...chosen,
  ];
  await run(bin('pytest'), [...args, join(folder, 'tests')], {
    tolerate: true,
    env: chromium ? { CREMA_CHROMIUM: chromium } : {},
  });
  if (!existsSync(report)) throw new Failed('The Python tests left no report.');
  const suite = readFileSync(report, 'utf8');
  const number = (name) =>
    Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const failed = number('failures') + number('errors');
  counts.failed += failed;
  counts.skipped += number('skipped');
  counts.passed += number('tests') - failed - number('skipped');
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setUp(['wasm', 'native', 'python']);
    await buildPreset('native', ['crema']);
    await buildWasm();
    await buildPages();
    if (!(await makeEnvironment({ whole: false }))) process.exitCode = 1;
    else console.log(await buildWheel());
  });
}
