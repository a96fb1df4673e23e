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

function pythonCan(code) {
  try {
    execFileSync('python3', ['-c', code], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether Python can make environments; Debian keeps that in a package apart. */
const canMakeVenv = () => pythonCan('import ensurepip, venv');

/** Whether modules can be compiled for it; Debian keeps its headers in a package apart, too. */
const hasPythonHeaders = () =>
  pythonCan("import sysconfig; open(sysconfig.get_path('include') + '/Python.h')");

/**
 * Debian names its package after the version of Clang; where there is no Clang yet, that of its
 * own.
 */
function clangRuntimes() {
  const version = /version (\d+)/.exec(clangSays('--version'))?.[1];
  return version ? [`libclang-rt-${version}-dev`] : ['libclang-rt-dev', 'libclang-rt-14-dev'];
}

/**
 * Per tool: whether it is here, the packages that have it with each package manager (the first that
 * exists), and what it is for people. One that is `fetched` is downloaded by CMake where it cannot
 * be installed, so it is never missing; one that is `spare` only makes things faster; one that is
 * `optional` is installed where that is allowed, and else done without, loudly.
 */
const tools = {
  cmake: {
    found: () => onPath('cmake'),
    packages: { apt: ['cmake'], dnf: ['cmake'], brew: ['cmake'] },
    what: 'CMake 3.22 or newer',
  },
  ninja: {
    found: () => onPath('ninja'),
    packages: { apt: ['ninja-build'], dnf: ['ninja-build'], brew: ['ninja'] },
    what: 'Ninja',
  },
  compiler: {
    found: () => onPath('c++', 'g++', 'clang++'),
    packages: { apt: ['clang', 'g++'], dnf: ['clang', 'gcc-c++'], brew: ['llvm'] },
    what: 'a C++20 compiler (GCC 11, Clang 14 or newer; on macOS: xcode-select --install)',
  },
  emscripten: {
    found: () => onPath('em++'),
    packages: { apt: ['emscripten'], dnf: ['emscripten'], brew: ['emscripten'] },
    what: 'Emscripten 3.1.6 or newer (em++ on PATH, or EMSDK set)',
  },
  ccache: {
    found: () => onPath('ccache'),
    packages: { apt: ['ccache'], dnf: ['ccache'], brew: ['ccache'] },
    spare: true,
  },
  clangFormat: {
    found: () => onPath('clang-format'),
    packages: { apt: ['clang-format'], dnf: ['clang-tools-extra'], brew: ['clang-format'] },
    spare: true,
  },
  gcc: {
    found: () => onPath('g++'),
    packages: { apt: ['g++'], dnf: ['gcc-c++'], brew: ['gcc'] },
    what: 'GCC 11 or newer',
  },
  clangTidy: {
    found: () => onPath('clang-tidy'),
    packages: { apt: ['clang-tidy'], dnf: ['clang-tools-extra'], brew: [] },
    optional: true,
  },
  clang: {
    found: () => onPath('clang++'),
    packages: { apt: ['clang'], dnf: ['clang'], brew: ['llvm'] },
    optional: true,
  },
  fuzzer: {
    found: canFuzz,
    packages: { apt: clangRuntimes(), dnf: ['compiler-rt'], brew: [] },
    optional: true,
  },
  venv: {
    found: canMakeVenv,
    packages: { apt: ['python3-venv'], dnf: ['python3'], brew: ['python'] },
    optional: true,
  },
  pythonHeaders: {
    found: hasPythonHeaders,
    packages: { apt: ['python3-dev'], dnf: ['python3-devel'], brew: ['python'] },
    optional: true,
  },
  coverage: {
    found: () => onPath('llvm-cov') && onPath('llvm-profdata'),
    packages: { apt: ['llvm'], dnf: ['llvm'], brew: ['llvm'] },
    optional: true,
  },
  chromium: {
    found: findChromium,
    packages: { apt: ['chromium', 'chromium-browser'], dnf: ['chromium'], brew: [] },
    what: 'Chromium or Chrome',
  },
  firefox: {
    found: findFirefox,
    packages: { apt: ['firefox-esr', 'firefox'], dnf: ['firefox'], brew: [] },
    what: 'Firefox',
  },
  webkit: {
    found: findWebKit,
    packages: { apt: ['webkit2gtk-driver'], dnf: ['webkit2gtk-driver'], brew: [] },
    what: 'WebKitWebDriver with its MiniBrowser, and xvfb-run',
  },
  display: {
    found: () => onPath('xvfb-run'),
    packages: { apt: ['xvfb'], dnf: ['xorg-x11-server-Xvfb'], brew: [] },
    what: 'xvfb-run',
  },
  displayKey: {
    found: () => onPath('xauth'),
    packages: { apt: ['xauth'], dnf: ['xorg-x11-xauth'], brew: [] },
    what: 'xauth',
  },
};

/** A library of cmake/dependencies.json as one of the tools. */
const library = (name, natively) => {
  const { header: path, headerNatively, debian, fedora, homebrew } = libraries[name];
  const found = () => header(path) || (natively && headerNatively && header(headerNatively));
  return { found, packages: { apt: [debian], dnf: [fedora], brew: [homebrew] }, fetched: true };
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
  python: ['venv', 'pythonHeaders'],
};

function toolsOf(part) {
  if (part in needs) return needs[part].map((name) => tools[name]);
  const natively = !presets[part].tools.includes('emscripten');
  return [
    ...['cmake', 'ninja', 'ccache', ...presets[part].tools].map((name) => tools[name]),
    ...librariesOf(part).map((name) => library(name, natively)),
  ];
}

/** The tools of `parts` that are not here. */
const absentOf = (parts) => [...new Set(parts.flatMap(toolsOf))].filter((tool) => !tool.found());

/** Those of them without which nothing can be built. */
const missingOf = (parts) =>
  absentOf(parts).filter((tool) => !tool.fetched && !tool.spare && !tool.optional);

/**
 * Installs packages and tools for `parts` (presets, or names in `needs`) where they are not there
 * yet. What the parts `first` need comes first, and `begin` is called when that is there: a package
 * manager keeps one processor busy, and a build that can begin has the other.
 */
export async function setUp(parts, { first = [], begin = () => undefined } = {}) {
  useEmsdk();
  const packages = installPackages();
  await installAbsent(first);
  // Where the rest cannot be installed, its list is all that shall be said.
  const isEarly =
    absentOf(parts).length > 0 &&
    missingOf(first).length === 0 &&
    (await privilege()) !== undefined;
  if (isEarly) begin();
  await installAbsent(parts);
  await packages;
  checkNode();
  const missing = missingOf(parts);
  if (missing.length > 0) {
    throw new Failed(
      [
        'Please install:',
        ...missing.map((tool) => `  - ${tool.what}`),
        ...installLine(missing),
      ].join('\n'),
    );
  }
  if (!isEarly) begin();
}

/**
 * Package managers: the command that installs, what updates their lists, and what tells whether a
 * package exists. Homebrew refuses to run as root, the others need it.
 */
const managers = {
  apt: {
    command: 'apt-get',
    systems: 'Debian and Ubuntu',
    install: ['install', '-y', '--no-install-recommends'],
    update: ['update'],
    // A purely virtual or unknown package has no record of its own.
    exists: async (name) => {
      const { code, output } = await ask('apt-cache', ['show', '--no-all-versions', name]);
      return code === 0 && output.includes('Package:');
    },
  },
  dnf: {
    command: 'dnf',
    systems: 'Fedora',
    install: ['install', '-y', '--setopt=install_weak_deps=False'],
    exists: async (name) => (await ask('dnf', ['-q', 'info', name])).code === 0,
  },
  brew: {
    command: 'brew',
    systems: 'macOS',
    install: ['install'],
    exists: async (name) => (await ask('brew', ['info', name])).code === 0,
  },
};

const ask = (command, args) => run(command, args, { collect: true, tolerate: true });

/** The package manager of this machine, by its name in `managers`; apt where there is none. */
const managerName = () =>
  Object.keys(managers).find((name) => onPath(managers[name].command)) ?? 'apt';

/** A line that says how a user installs the first package of each tool; none without a package. */
export function installLine(absent, name = managerName()) {
  const packages = absent.flatMap((tool) => tool.packages[name].slice(0, 1));
  if (packages.length === 0) return [];
  const { command, systems } = managers[name];
  return [`On ${systems}: ${command} install ${[...new Set(packages)].join(' ')}`];
}

/** Whether the package manager has been asked for its lists. */
let isUpdated = false;

/** Lets the package manager install what of `parts` is absent, as far as this user may. */
async function installAbsent(parts) {
  const absent = absentOf(parts);
  // Packages to install are not worth a question when all that is absent only makes things faster.
  if (absent.every((tool) => tool.spare)) return;
  const name = managerName();
  const { command, install, update, exists } = managers[name];
  const before = await privilege();
  if (!before) return;
  const manage = (args) => {
    const quiet =
      name === 'apt' ? ['env', 'DEBIAN_FRONTEND=noninteractive', command, '-qq'] : [command];
    const [first, ...rest] = [...before, ...quiet, ...args];
    return run(first, rest, { collect: true });
  };

  const since = performance.now();
  console.log('Some tools are missing. Asking the package manager for them ...');
  try {
    if (update && !isUpdated) await manage(update);
    isUpdated = true;
    const packages = new Set();
    for (const tool of absent) {
      for (const one of tool.packages[name]) {
        if (!(await exists(one))) continue;
        packages.add(one);
        break;
      }
    }
    if (packages.size === 0) return;
    console.log(`Installing ${[...packages].join(', ')} (some minutes, up to 1 GB) ...`);
    await manage([...install, ...packages]);
    console.log(`Installed in ${seconds(since)}.`);
  } catch (problem) {
    if (!(problem instanceof Failed)) throw problem;
    console.error(`The package manager could not do it:\n${problem.message}`);
  }
}

/**
 * What stands before the package manager's command: nothing, or a sudo that asks for no password;
 * undefined where there is none, or this user may not install.
 */
async function privilege() {
  const name = managerName();
  if (!onPath(managers[name].command)) return undefined;
  const isRoot = process.getuid?.() === 0;
  if (name === 'brew') return isRoot ? undefined : [];
  if (isRoot) return [];
  const sudo = onPath('sudo') && (await ask('sudo', ['-n', 'true'])).code === 0;
  return sudo ? ['sudo', '-n'] : undefined;
}

/** A local emsdk checkout, for whoever has no em++ on PATH. */
function useEmsdk() {
  if (onPath('em++') || !process.env.EMSDK) return;
  process.env.PATH = [join(process.env.EMSDK, 'upstream', 'emscripten'), process.env.PATH].join(
    delimiter,
  );
  process.env.EM_CONFIG ??= join(process.env.EMSDK, '.emscripten');
}

/** `npm ci` in `folder` when the installed packages are not those of its lock file. */
export async function installPackages(folder = root) {
  const changed = (file) =>
    existsSync(join(folder, file)) ? statSync(join(folder, file)).mtimeMs : 0;
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  console.log('Installing the npm packages (about a minute) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm) await run(process.execPath, [npm, ...args], { cwd: folder });
  else await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: folder });
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
