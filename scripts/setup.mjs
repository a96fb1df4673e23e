// Sees to it that what a command needs is there: uses what is installed, installs the rest where
// that is allowed, and else says in one list what is missing. `node scripts/setup.mjs wasm` does so
// for one preset of CMakePresets.json.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, findFirefox, findWebKit } from './browsers.mjs';
import { headerFolders, libraries, librariesOf, presets } from './presets.mjs';
import { checkNode, Failed, main, onPath, root, run, seconds } from './run.mjs';

const header = (path) => headerFolders.some((folder) => existsSync(join(folder, path)));

/** The words of Clang's answer to `args`; "" where there is none. */
function clangSays(...args) {
  try {
    return execFileSync('clang++', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/** Whether Clang is here with libFuzzer, which its packages keep apart. */
export function canFuzz() {
  const folder = clangSays('-print-resource-dir');
  return ['linux', 'x86_64-unknown-linux-gnu', 'aarch64-unknown-linux-gnu', 'darwin'].some(
    (system) =>
      [
        'libclang_rt.fuzzer-x86_64.a',
        'libclang_rt.fuzzer-aarch64.a',
        'libclang_rt.fuzzer.a',
        'libclang_rt.fuzzer_osx.a',
      ].some((file) => existsSync(join(folder, 'lib', system, file))),
  );
}

/** Whether Python can make environments; Debian keeps that in a package apart. */
function canMakeVenv() {
  try {
    execFileSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Its package is named after the version of Clang. */
const clangRuntime = () =>
  `libclang-rt-${/version (\d+)/.exec(clangSays('--version'))?.[1] ?? 14}-dev`;

/**
 * Per tool: whether it is here, the Debian/Ubuntu packages that have it (the first that exists),
 * and what it is for people. One that is `fetched` is downloaded by CMake where it cannot be
 * installed, so it is never missing; one that is `spare` only makes things faster; one that is
 * `optional` is installed where that is allowed, and else done without, loudly.
 */
const tools = {
  cmake: { found: () => onPath('cmake'), apt: ['cmake'], what: 'CMake 3.22 or newer' },
  ninja: { found: () => onPath('ninja'), apt: ['ninja-build'], what: 'Ninja' },
  compiler: {
    found: () => onPath('c++', 'g++', 'clang++'),
    apt: ['clang', 'g++'],
    what: 'a C++20 compiler (GCC 11, Clang 14 or newer)',
  },
  emscripten: {
    found: () => onPath('em++'),
    apt: ['emscripten'],
    what: 'Emscripten 3.1.6 or newer (em++ on PATH, or EMSDK set)',
  },
  ccache: { found: () => onPath('ccache'), apt: ['ccache'], spare: true },
  clangFormat: { found: () => onPath('clang-format'), apt: ['clang-format'], spare: true },
  gcc: { found: () => onPath('g++'), apt: ['g++'], what: 'GCC 11 or newer' },
  clangTidy: { found: () => onPath('clang-tidy'), apt: ['clang-tidy'], optional: true },
  clang: { found: () => onPath('clang++'), apt: ['clang'], optional: true },
  fuzzer: { found: canFuzz, apt: [clangRuntime(), 'libclang-rt-14-dev'], optional: true },
  venv: { found: canMakeVenv, apt: ['python3-venv'], optional: true },
  coverage: {
    found: () => onPath('llvm-cov') && onPath('llvm-profdata'),
    apt: ['llvm'],
    optional: true,
  },
  chromium: {
    found: findChromium,
    apt: ['chromium', 'chromium-browser'],
    what: 'Chromium or Chrome',
  },
  firefox: { found: findFirefox, apt: ['firefox-esr', 'firefox'], what: 'Firefox' },
  webkit: {
    found: findWebKit,
    apt: ['webkit2gtk-driver'],
    what: 'WebKitWebDriver with its MiniBrowser, and xvfb-run',
  },
  display: { found: () => onPath('xvfb-run'), apt: ['xvfb'], what: 'xvfb-run' },
  displayKey: { found: () => onPath('xauth'), apt: ['xauth'], what: 'xauth' },
};

/** A library of cmake/dependencies.json as one of the tools. */
const library = (name, natively) => {
  const { header: path, headerNatively, debian } = libraries[name];
  const found = () => header(path) || (natively && headerNatively && header(headerNatively));
  return { found, apt: [debian], fetched: true };
};

/**
 * What the parts of the work need besides the presets of CMakePresets.json, which are parts, too.
 */
const needs = {
  lint: ['clangFormat'],
  tidy: ['clangTidy'],
  browser: ['chromium'],
  firefox: ['firefox'],
  webkit: ['webkit', 'display', 'displayKey'],
  python: ['venv'],
};

function toolsOf(part) {
  if (part in needs) return needs[part].map((name) => tools[name]);
  const natively = !presets[part].tools.includes('emscripten');
  return [
    ...['cmake', 'ninja', 'ccache', ...presets[part].tools].map((name) => tools[name]),
    ...librariesOf(part).map((name) => library(name, natively)),
  ];
}

/**
 * Installs packages and tools for `parts` (presets, or names in `needs`) where they are not there
 * yet.
 */
export async function setUp(parts) {
  const wanted = [...new Set(parts.flatMap(toolsOf))];
  const absent = () => wanted.filter((tool) => !tool.found());

  useEmsdk();
  const packages = installPackages();
  // Packages to install are not worth a question when all that is absent only makes things faster.
  if (absent().some((tool) => !tool.spare)) await installWithApt(absent());
  await packages;
  checkNode();
  const missing = absent().filter((tool) => !tool.fetched && !tool.spare && !tool.optional);
  if (missing.length > 0) {
    throw new Failed(
      [
        'Please install:',
        ...missing.map((tool) => `  - ${tool.what}`),
        `On Debian and Ubuntu: apt-get install ${[...new Set(missing.map((tool) => tool.apt[0]))].join(' ')}`,
      ].join('\n'),
    );
  }
}

/** apt-get, as far as this user may: as root, or with a sudo that asks for no password. */
async function installWithApt(absent) {
  if (!onPath('apt-get')) return;
  const isRoot = process.getuid?.() === 0;
  const before = isRoot ? [] : ['sudo', '-n'];
  if (
    !isRoot &&
    (!onPath('sudo') ||
      (await run('sudo', ['-n', 'true'], { collect: true, tolerate: true })).code !== 0)
  )
    return;
  const apt = (...args) => {
    const [command, ...rest] = [
      ...before,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      ...args,
    ];
    return run(command, rest, { collect: true });
  };

  const since = performance.now();
  console.log('Some tools are missing. Asking the package manager for them ...');
  try {
    await apt('update');
    const packages = new Set();
    for (const tool of absent) {
      for (const name of tool.apt) {
        // A purely virtual or unknown package has no record of its own.
        const { code, output } = await run('apt-cache', ['show', '--no-all-versions', name], {
          collect: true,
          tolerate: true,
        });
        if (code !== 0 || !output.includes('Package:')) continue;
        packages.add(name);
        break;
      }
    }
    if (packages.size === 0) return;
    console.log(`Installing ${[...packages].join(', ')} (some minutes, up to 1 GB) ...`);
    await apt('install', '-y', '--no-install-recommends', ...packages);
    console.log(`Installed in ${seconds(since)}.`);
  } catch (problem) {
    if (!(problem instanceof Failed)) throw problem;
    console.error(`The package manager could not do it:\n${problem.message}`);
  }
}

/** A local emsdk checkout, for whoever has no em++ on PATH. */
function useEmsdk() {
  if (onPath('em++') || !process.env.EMSDK) return;
  process.env.PATH = [join(process.env.EMSDK, 'upstream', 'emscripten'), process.env.PATH].join(
    delimiter,
  );
  process.env.EM_CONFIG ??= join(process.env.EMSDK, '.emscripten');
}

/** `npm ci` when the installed packages are not those of the lock file. */
async function installPackages() {
  const changed = (file) => (existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : 0);
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  console.log('Installing the npm packages (about a minute) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm) await run(process.execPath, [npm, ...args]);
  else await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const parts = process.argv.slice(2);
    const known = [...Object.keys(presets), ...Object.keys(needs)];
    const unknown = parts.find((part) => !known.includes(part));
    if (unknown || parts.length === 0)
      throw new Failed(
        `${unknown ? `There is no part ${unknown}; the` : 'The'} parts are ${known.join(', ')}.`,
      );
    await setUp(parts);
  });
}
