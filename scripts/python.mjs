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
/** A program of an environment. */
export const bin = (name, of = environment) =>
  process.platform === 'win32' ? join(of, 'Scripts', `${name}.exe`) : join(of, 'bin', name);

/** The Python of the environment. */
export const python = () => bin('python');

/** roastcoffea's own bounds leave out the Python of Debian stable, on which it works. */
const roastcoffea = 'roastcoffea==0.1.2';

/**
 * The Python that CREMA_PYTHON names, else one of 3.`least` or newer that can make environments,
 * newest first as far as roastcoffea goes; undefined when there is none.
 */
export async function findPython(least) {
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
  lazy: { lock: join(folder, 'requirements', 'dask_awkward.txt'), extra: [], least: 12 },
};

const everyTask = (name) => `test_results_are_the_same_and_every_task_has_a_row[${name}]`;
/**
 * What the same small analysis runs under, each in an environment of its own: the packages beside
 * coffea, in the versions of `whole`, and the tests. TaskVine is not in pip's registry.
 */
const executors = {
  iterative: { packages: [], tests: [everyTask('iterative')] },
  futures: { packages: [], tests: ['futures', 'merging', 'threads'].map(everyTask) },
  dask: {
    packages: ['distributed'],
    tests: [everyTask('dask'), 'test_seconds_of_tasks_are_those_of_dask'],
  },
  parsl: { packages: ['parsl'], tests: [everyTask('parsl')] },
  taskvine: { packages: [], tests: ['test_tasks_of_taskvine_have_rows_too'] },
};

/** A new environment of that Python with these packages: all of the lock, or those named. */
async function install(of, found, { lock, extra, packages }) {
  rmSync(of, { recursive: true, force: true });
  const pip = (...args) =>
    run(bin('python', of), ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', ...args], {
      collect: true,
    });
  await run(found, ['-m', 'venv', of], { collect: true });
  await pip(...(packages ? [...packages, '-c', lock] : ['-r', lock]));
  if (extra.length > 0) await pip('--no-deps', '--ignore-requires-python', ...extra);
  writeFileSync(stamp(of), stampOf({ lock, extra, packages }));
}

/** Puts the wheel into an environment. */
const installWheel = (of, wheel) =>
  run(bin('python', of), ['-m', 'pip', 'install', '-q', '--no-deps', '--force-reinstall', wheel], {
    collect: true,
  });

const stamp = (of) => join(of, 'crema-packages');
const stampOf = ({ lock, extra, packages = [] }) =>
  createHash('sha256')
    .update(readFileSync(lock))
    .update([...extra, process.env.CREMA_PYTHON, ...packages].join())
    .digest('hex');
const isMade = (of, kind) =>
  existsSync(stamp(of)) && readFileSync(stamp(of), 'utf8') === stampOf(kind);

/**
 * Makes the environment where it is not there or its packages have changed. False, with the reason
 * said, when it cannot be.
 */
export async function makeEnvironment({ whole }) {
  if (isMade(environment, kinds.whole) || (!whole && isMade(environment, kinds.check))) return true;
  const kind = whole ? kinds.whole : kinds.check;
  const found = await findPython(kind.least);
  if (!found) {
    console.log(
      `\n*** No Python tests: they need Python 3.${kind.least} or newer with venv (Debian: python3-venv). ***\n`,
    );
    return false;
  }
  console.log(`Installing the Python packages (${whole ? 'some minutes, 1 GB' : 'a moment'}) ...`);
  try {
    await install(environment, found, kind);
  } catch (problem) {
    if (!(problem instanceof Failed)) throw problem;
    console.log(
      `\n*** No Python tests: the packages cannot be installed. ***\n${problem.message}\n`,
    );
    return false;
  }
  return true;
}

/**
 * The wheel for the Python of environment `of`, of the libraries of the native build and of the
 * page; returns its path.
 */
export async function buildWheel(sources = folder, of = environment) {
  const wheels = join(root, 'build', 'wheels');
  rmSync(wheels, { recursive: true, force: true });
  mkdirSync(wheels, { recursive: true });
  const native = join(root, presets.native.folder);
  await run(
    bin('python', of),
    [
      ...['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', wheels],
      ...[`--config-settings=cmake.define.CREMA_BUILT=${native}`, sources],
    ],
    { collect: true, env: compiler() },
  );
  return join(wheels, readdirSync(wheels)[0]);
}

/** Runs tests in an environment and adds up how they went. */
async function pytest(of, tests, counts, env = {}) {
  const report = join(root, 'build', 'python-tests.xml');
  rmSync(report, { force: true });
  const chromium = findChromium();
  // from its folder the tests would find the sources instead of the wheel
  const args = [
    '-q',
    '-c',
    join(folder, 'pyproject.toml'),
    '--rootdir',
    folder,
    `--junitxml=${report}`,
    ...tests,
  ];
  await run(bin('pytest', of), args, {
    tolerate: true,
    env: { ...(chromium ? { CREMA_CHROMIUM: chromium } : {}), ...env },
  });
  if (!existsSync(report)) throw new Failed('The Python tests left no report.');
  const suite = readFileSync(report, 'utf8');
  const number = (name) =>
    Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const failed = number('failures') + number('errors');
  counts.failed += failed;
  counts.skipped += number('skipped');
  counts.passed += number('tests') - failed - number('skipped');
}

/**
 * Of each of these Pythons a fresh environment with the wheel in it, and what a user does there:
 * records, shows, asks, compares, checks. Pictures of it are in build/shown.
 */
export async function showWheel(pythons) {
  for (const name of pythons) {
    const version = 'import sys; print("%d.%d" % sys.version_info[:2])';
    const { output } = await run(name, ['-c', version], { collect: true });
    const pictures = join(root, 'build', 'shown', output.trim());
    mkdirSync(pictures, { recursive: true });
    const of = join(root, 'build', `python-${output.trim()}`);
    await install(of, name, kinds.whole);
    await installWheel(of, await buildWheel(folder, of));
    const counts = { passed: 0, failed: 0, skipped: 0 };
    await pytest(of, [join(folder, 'tests', 'whole', 'test_story.py')], counts, {
      CREMA_PICTURES: pictures,
    });
    if (counts.failed > 0)
      throw new Failed(`Python ${output.trim()}: it does not work, see above.`);
    console.log(`Python ${output.trim()}: pictures are in ${pictures}`);
  }
}

/** Runs tests of the wheel in an environment of their own. */
async function testApart(name, kind, wheel, tests, counts) {
  const of = join(root, 'build', `python-${name}`);
  if (!isMade(of, kind)) await install(of, await findPython(kind.least), kind);
  await installWheel(of, wheel);
  await pytest(of, tests, counts);
}

/** The same small analysis under each of coffea's executors, in an environment that has no other. */
async function testExecutors(wheel, counts) {
  const file = join(folder, 'tests', 'whole', 'test_executors.py');
  for (const [name, { packages, tests }] of Object.entries(executors)) {
    const needed = ['coffea', 'jsonschema', 'psutil', 'pytest', ...packages];
    const kind = { ...kinds.whole, extra: [], packages: needed };
    const ids = tests.map((test) => `${file}::${test}`);
    await testApart(name, kind, wheel, ids, counts);
  }
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
  const wheel = await buildWheel();
  await installWheel(environment, wheel);

  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [tool, ...args] of [
    ['ruff', 'check', folder, join(root, 'lab')],
    ['ruff', 'format', '--check', '-q', folder, join(root, 'lab')],
    ['mypy', '--config-file', join(folder, 'pyproject.toml'), join(folder, 'cremascope')],
  ]) {
    const { code } = await run(bin(tool), args, { tolerate: true });
    if (code === 0) counts.passed += 1;
    else counts.failed += 1;
  }

  const tests = join(folder, 'tests');
  const ignored = ['lazy', ...(whole ? [] : ['whole'])];
  const atOnce = whole ? [] : ['--numprocesses=2']; // tests with clusters need the machine alone
  await pytest(
    environment,
    [...atOnce, ...ignored.flatMap((name) => ['--ignore', join(tests, name)]), tests],
    counts,
  );
  if (whole) {
    await testApart('dask-awkward', kinds.lazy, wheel, [join(tests, 'lazy')], counts);
    await testExecutors(wheel, counts);
  }
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
