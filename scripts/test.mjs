// npm test: each part of the program, stage by stage. `npm test -- core wasm` runs only those
// stages; `npm run test:all` adds what takes long or needs more browsers.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDocs } from './docs.mjs';
import { fuzz, fuzzPrograms } from './fuzz.mjs';
import { lint } from './lint.mjs';
import { buildPreset, catchCounts } from './native.mjs';
import { buildPackage } from './package.mjs';
import { buildPages, weighPage } from './page.mjs';
import { pythonTests } from './python.mjs';
import { Failed, main, root, run, runPackage, seconds } from './run.mjs';
import { canFuzz, setUp } from './setup.mjs';
import { tidy } from './tidy.mjs';

/**
 * Two processes: the slow tests, which under the sanitizers take half of all the time, and the
 * others.
 */
const halves = ['[slow]', '~[slow]~[.]'];

async function nativeTests(preset) {
  const program = join(root, 'build', preset, 'tests', 'crema_tests');
  const asWasm = preset === 'safeheap';
  const counts = await Promise.all(
    halves.map((half) => {
      return asWasm
        ? catchTests(process.execPath, [`${program}.cjs`, half])
        : catchTests(program, [half]);
    }),
  );
  const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

async function catchTests(program, args) {
  const { code, output } = await run(program, args, { collect: true, tolerate: true });
  if (code !== 0) console.log(output);
  else console.log(output.trim().split('\n').at(-1));
  return catchCounts(output);
}

async function vitest(project, { name = project, args = [] } = {}) {
  const report = join(root, 'build', `${name}-tests.json`);
  mkdirSync(join(root, 'build'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  await runPackage('vitest/vitest.mjs', ['run', '--project', project, ...args, ...reporters], {
    tolerate: true,
  });
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    throw new Failed(`The ${name} tests left no report.`);
  }
  // A file that cannot even be loaded has no tests that could fail.
  const broken = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

async function browserTests(engine) {
  if (engine === 'chromium') await weighPage();
  process.env.CREMA_BROWSER = engine;
  // these start Chromium whatever the engine
  const args = ['viewer', 'devices'].flatMap((name) =>
    engine === 'chromium' ? [] : ['--exclude', `**/${name}.test.ts`],
  );
  return vitest('browser', { name: engine, args });
}

async function fuzzTargets() {
  const results = await fuzz(10);
  if (results) {
    const passed = results.filter((one) => one.well).length;
    return { passed, failed: results.length - passed };
  }
  console.log(
    '\n*** No fuzzing: it needs Clang with its runtime libraries (Debian: clang, libclang-rt-dev). ***\n',
  );
  return { passed: 0, failed: 0, skipped: fuzzPrograms.length };
}

/** Where the fuzz targets are built, the core is there already under the same sanitizers. */
const sanitized = () => (canFuzz() ? 'fuzz' : 'asan');

/** What stages stand on, in the order in which it is built; each once. */
const buildings = {
  native: (how) => buildPreset('native', ['crema'], how),
  wasm: (how) => buildPreset('wasm', ['crema_wasm'], how),
  pages: () => buildPages(),
  tests: (how) => buildPreset('native', ['crema_tests'], how),
  fuzz: async (how) => canFuzz() && (await buildPreset('fuzz', fuzzPrograms, how)),
  sanitized: (how) => buildPreset(sanitized(), ['crema_tests'], how),
  gcc: (how) => buildPreset('gcc', ['crema_tests'], how),
  safeheap: (how) => buildPreset('safeheap', ['crema_tests'], how),
};
const page = ['native', 'wasm', 'pages'];

/**
 * Name, what must be installed for it, what must be built, what it does (`whole`: all that it can,
 * because it was named or all was wanted).
 */
const stages = {
  // the types of questions come with the command line
  lint: [['lint', 'native'], ['native'], () => lint()],
  web: [[], [], () => vitest('web')],
  cli: [['native'], ['native'], () => vitest('cli')],
  wasm: [['wasm', 'native'], ['native', 'wasm'], () => vitest('wasm')],
  browser: [['wasm', 'native', 'browser'], page, () => browserTests('chromium')],
  // Without being named it only does what takes seconds.
  python: [['wasm', 'native', 'browser', 'python'], page, pythonTests],
  core: [['native'], ['tests'], () => nativeTests('native')],
};

/** Stages that `npm run test:all` adds, likewise; by name they run alone. */
const moreStages = {
  fuzz: [['native', 'fuzz'], ['fuzz'], fuzzTargets],
  // The same tests as those of `core`; with `fuzz` they take as long as all usual stages together.
  sanitizers: [['asan', 'fuzz'], ['sanitized'], () => nativeTests(sanitized())],
  tidy: [
    ['files', 'wasm', 'tidy'],
    [],
    async () => (await tidy()) ?? { passed: 0, failed: 0, skipped: 1 },
  ],
  gcc: [['gcc'], ['gcc'], () => nativeTests('gcc')],
  safeheap: [['safeheap'], ['safeheap'], () => nativeTests('safeheap')],
  docs: [
    [],
    [],
    async () => {
      await buildDocs();
      return vitest('docs');
    },
  ],
  package: [
    ['wasm', 'wasm-cli', 'native'],
    page,
    async () => {
      await buildPackage();
      return vitest('package');
    },
  ],
  firefox: [['wasm', 'native', 'browser', 'firefox'], page, () => browserTests('firefox')],
  webkit: [['wasm', 'native', 'browser', 'webkit'], page, () => browserTests('webkit')],
};

const buildingsOf = (chosen) =>
  Object.keys(buildings).filter((name) => chosen.some(([, [, needed]]) => needed.includes(name)));

/**
 * Builds for all `chosen` stages, one thing after the other, while the tests of what is there
 * already run; the first of them while what the others need is being `installed`.
 * Returns how to wait for what a stage needs. Builds leave the processor to tests, and are silent
 * while a test speaks.
 */
function buildAhead(chosen, installed) {
  const waiting = { now: 0 };
  const done = {};
  let before = Promise.resolve();
  for (const [place, name] of buildingsOf(chosen).entries()) {
    const built = before.then(async () => {
      if (place > 0) await installed();
      return buildings[name]({ isHeard: () => waiting.now > 0, nice: chosen.length > 1 });
    });
    done[name] = built.then(
      () => undefined,
      (problem) => problem,
    );
    before = done[name];
  }
  return async (needed) => {
    waiting.now += 1;
    const problems = await Promise.all(needed.map((name) => done[name]));
    waiting.now -= 1;
    const problem = problems.find((one) => one);
    if (problem) throw problem;
  };
}

await main(async () => {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean' } },
    allowPositionals: true,
  });
  // The tests themselves see that more is wanted of them.
  if (values.all) process.env.CREMA_TEST_ALL = '1';
  const known = { ...stages, ...moreStages };
  const unknown = positionals.find((name) => !(name in known));
  if (unknown)
    throw new Failed(
      `There is no stage ${unknown}; the stages are ${Object.keys(known).join(', ')}.`,
    );
  const chosen =
    positionals.length > 0
      ? Object.entries(known).filter(([name]) => positionals.includes(name))
      : Object.entries(values.all ? known : stages);

  const started = performance.now();
  let whenBuilt;
  const installed = setUp(
    chosen.flatMap(([, [parts]]) => parts),
    {
      first: buildingsOf(chosen)[0] === 'native' ? ['native'] : [],
      begin: () => {
        whenBuilt = buildAhead(chosen, () => installed);
      },
    },
  );
  await installed;
  const rows = [['set-up', seconds(started), '']];
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, [, needed, stage]] of chosen) {
    console.log(`\n== ${name}`);
    const since = performance.now();
    let counts = { passed: 0, failed: 1 };
    try {
      await whenBuilt(needed);
      counts = await stage({ whole: values.all || positionals.includes(name) });
      if (counts.passed + counts.failed + (counts.skipped ?? 0) === 0)
        throw new Failed(`The stage ${name} ran no test.`);
    } catch (problem) {
      if (!(problem instanceof Failed)) throw problem;
      console.error(problem.message);
      counts = { passed: 0, failed: 1 };
    }
    for (const key of Object.keys(sum)) sum[key] += counts[key] ?? 0;
    rows.push([name, seconds(since), line(counts)]);
  }
  console.log(
    `\n${rows.map(([name, time, counts]) => `${name.padEnd(12) + time.padStart(9)}  ${counts}`).join('\n')}\n`,
  );
  console.log(line(sum));
  if (sum.failed > 0) process.exitCode = 1;
});

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}
