// Splits the core in two for the hosted page: what opening a run and its first views call, and the
// rest, which is fetched behind the first picture. Which function is which, a profile says: an
// instrumented core opens recorded bundles and answers what the Summary asks. Binaryen's wasm-split
// does the splitting; where it is not installed the page has the core in one piece.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { orderFunctions } from './order-functions.mjs';
import { onPath, root, run } from './run.mjs';

const core = join(root, 'build/wasm');
const folder = join(core, 'split');
const halves = [join(folder, 'first.wasm'), join(folder, 'rest.wasm')];

/** Recordings of every kind that opens on the Summary, below tests/data. */
const bundles = [
  'local-4x1',
  'adaptive',
  'scale-2',
  'no-tracking',
  'no-decorator',
  'schema-0.1.0',
  'schema-flat-old-528a064',
  'schema-improve-api',
];

/** What the page asks before its first picture is complete. */
const questions = [
  ['runs'],
  ['quality'],
  ['summary'],
  ['budget'],
  ['core_time_tree'],
  ['core_time_bins', { bins: 300 }],
  ['findings'],
  ['rules'],
  ['advice'],
  ['datasets'],
  ['phases'],
  ['timeline'],
];

/** Asked each time: a build may have installed it since this module was loaded. */
export const canSplit = () => onPath('wasm-split');

/** Whether the halves are there, made of the core as it is. */
export const isSplit = () =>
  halves.every(
    (half) =>
      existsSync(half) && statSync(half).mtimeMs > statSync(join(core, 'crema.wasm')).mtimeMs,
  );

/** Writes build/wasm/split/{first,rest}.wasm, if that can be done here. */
export async function splitCore() {
  if (!canSplit() || isSplit()) return;
  mkdirSync(folder, { recursive: true });
  const at = (name) => join(folder, name);
  const whole = join(core, 'crema.wasm');
  // all: the features that the module was compiled with, which it does not name
  const split = (...args) => run('wasm-split', ['-all', whole, ...args], { collect: true });
  await split('--instrument', '-o', at('instrumented.wasm'));
  writeFileSync(at('profile'), await profileOf(at('instrumented.wasm')));
  const [first, rest] = halves;
  // short names for what the halves share, which no name of the core begins with
  await split(
    `--profile=${at('profile')}`,
    '--export-prefix=%',
    '--placeholder-namespace=p',
    '--import-namespace=f',
    '-o1',
    first,
    '-o2',
    rest,
  );
  for (const half of halves) orderFunctions(half);
}

/** Which functions ran, in wasm-split's format. */
async function profileOf(instrumented) {
  const { default: createCrema } = await import(pathToFileURL(join(core, 'crema.js')).href);
  const { CoreEngine } = await pageEngine();
  let exported;
  const crema = await createCrema({
    instantiateWasm(imports, done) {
      const module = new WebAssembly.Module(readFileSync(instrumented));
      const instance = new WebAssembly.Instance(module, imports);
      exported = instance.exports;
      done(instance, module);
      return exported;
    },
  });
  for (const bundle of bundles) {
    const engine = new CoreEngine(crema);
    const { runs } = await engine.open(filesOf(bundle));
    for (const [question, options] of questions) await engine.ask(question, { runs, options });
    await engine.close(runs[0]);
  }
  const memory = Object.values(exported).find((one) => one instanceof WebAssembly.Memory);
  const size = exported.__write_profile(0, 0);
  // nothing of the core is used any more
  const end = memory.buffer.byteLength;
  exported.__write_profile(end - size, size);
  return Buffer.from(memory.buffer, end - size, size);
}

/** The engine as the page's worker has it (web/engine/core.ts). */
async function pageEngine() {
  const { build } = await import('vite');
  const lib = { entry: join(root, 'web/engine/core.ts'), formats: ['es'], fileName: 'engine' };
  await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: false, target: 'es2022', lib },
  });
  return import(pathToFileURL(join(folder, 'engine.js')).href);
}

const filesOf = (bundle) =>
  readdirSync(join(root, 'tests/data', bundle), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({
      path: `${bundle}/${name}`,
      data: new Blob([readFileSync(join(parentPath, name))]),
    }));
