// Puts the functions of a WebAssembly module in an order that compresses well: gzip looks back no
// further than 32 kB, so functions that are alike have to stand together. Nothing else changes. The
// module has no names: those would stay where they are.
//
//     node scripts/order-functions.mjs MODULE.wasm
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  instruction,
  listOf,
  locals,
  moduleOf,
  numberOf,
  Reader,
  section,
  sectionsOf,
  sized,
} from './wasm-module.mjs';

/** As far as gzip looks back, with room for what is between. */
const windowBytes = 30_000;
/** Bodies are alike by the runs of so many bytes that they share. */
const runBytes = 6;
/** What more functions than this share is everywhere. */
const mostHolders = 40;
/** Keeps functions of a few bytes from being like everything. */
const smallBytes = 100;

/**
 * `bytes` with all function indices replaced by what `indexOf` makes of them: `read` reads all of
 * it, and calls what it is given where such an index comes next.
 */
function withIndices(bytes, indexOf, read) {
  const reader = new Reader(bytes);
  const parts = [];
  let copied = 0;
  read(reader, () => {
    parts.push(bytes.subarray(copied, reader.at), numberOf(indexOf(reader.number())));
    copied = reader.at;
  });
  return Buffer.concat([...parts, bytes.subarray(copied)]);
}

/** The indices of `bodies`, each next to those that it is most like. */
function compressibleOrder(bodies) {
  const numbers = new Map();
  const runsOf = bodies.map((body) => {
    const own = new Set();
    for (let at = 0; at + runBytes <= body.length; at++) {
      const run = body.latin1Slice(at, at + runBytes);
      if (!numbers.has(run)) numbers.set(run, numbers.size);
      own.add(numbers.get(run));
    }
    return own;
  });
  const holdersOf = Array.from(numbers, () => []);
  runsOf.forEach((own, index) => {
    for (const run of own) holdersOf[run].push(index);
  });

  /** Of each run: how many bodies in the window have it; of each body: how many of its runs. */
  const inWindow = new Uint32Array(numbers.size);
  const shared = new Uint32Array(bodies.length);
  const share = (run, change) => {
    if (holdersOf[run].length > mostHolders) return;
    for (const index of holdersOf[run]) shared[index] += change;
  };
  const window = [];
  let bytes = 0;
  const enter = (index) => {
    for (const run of runsOf[index]) if (inWindow[run]++ === 0) share(run, 1);
    window.push(index);
    bytes += bodies[index].length;
  };
  const leave = () => {
    const index = window.shift();
    for (const run of runsOf[index]) if (--inWindow[run] === 0) share(run, -1);
    bytes -= bodies[index].length;
  };

  const left = new Set(bodies.keys());
  const likeness = (index) => shared[index] / (bodies[index].length + smallBytes);
  const order = [];
  while (left.size > 0) {
    let next;
    for (const index of left)
      if (next === undefined || likeness(index) > likeness(next)) next = index;
    left.delete(next);
    order.push(next);
    enter(next);
    while (bytes > windowBytes && window.length > 1) leave();
  }
  return order;
}

/** The module with its functions in another order. Of names nothing may be in it any more. */
function reordered(module) {
  const sections = sectionsOf(module);
  const contentOf = (id) => new Reader(sections.find((one) => one.id === id).bytes);

  const code = contentOf(section.code);
  const bodies = code.list(() => code.take(code.number()));
  const order = compressibleOrder(bodies);
  const imported = importedFunctions(contentOf(section.import));
  const indices = new Map(order.map((index, place) => [imported + index, imported + place]));
  const indexOf = (index) => indices.get(index) ?? index;

  const written = {
    [section.function]: (bytes) => {
      const types = new Reader(bytes);
      const all = types.list(() => numberOf(types.number()));
      return listOf(order.map((index) => all[index]));
    },
    [section.export]: (bytes) =>
      withIndices(bytes, indexOf, (exports, functionIndex) => {
        for (let left = exports.number(); left > 0; left--) {
          exports.take(exports.number());
          if (exports.byte() === 0) functionIndex();
          else exports.number();
        }
      }),
    [section.start]: (bytes) =>
      withIndices(bytes, indexOf, (_start, functionIndex) => functionIndex()),
    [section.element]: (bytes) =>
      withIndices(bytes, indexOf, (elements, functionIndex) => {
        for (let left = elements.number(); left > 0; left--) {
          if (elements.number() !== 0) throw new Error('a table that is filled another way');
          while (elements.bytes[elements.at] !== 0x0b) instruction(elements, functionIndex);
          elements.byte();
          for (let count = elements.number(); count > 0; count--) functionIndex();
        }
      }),
    [section.code]: () =>
      listOf(
        order.map((index) =>
          sized(
            withIndices(bodies[index], indexOf, (body, functionIndex) => {
              locals(body);
              while (!body.done) instruction(body, functionIndex);
            }),
          ),
        ),
      ),
  };
  return moduleOf(
    module,
    sections.map(({ id, bytes }) => ({ id, bytes: written[id]?.(bytes) ?? bytes })),
  );
}

function importedFunctions(imports) {
  let functions = 0;
  for (let left = imports.number(); left > 0; left--) {
    imports.take(imports.number());
    imports.take(imports.number());
    const kind = imports.byte();
    if (kind === 0) functions++;
    importedType(imports, kind);
  }
  return functions;
}

/** Steps over the type of what is imported: a function, a table, a memory, a global, a tag. */
function importedType(imports, kind) {
  if (kind === 1 || kind === 3 || kind === 4) imports.byte();
  if (kind === 1 || kind === 2) imports.numbers(imports.number() & 1 ? 2 : 1);
  else imports.number();
}

/** Reorders the module in the file `path`, which stays as it is where something in it is not known. */
export function orderFunctions(path) {
  try {
    writeFileSync(path, reordered(readFileSync(path)));
  } catch (problem) {
    // of a later Emscripten, say: it works as it is
    console.warn(`${path} stays as it was linked, and is larger to download: ${problem.message}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) orderFunctions(process.argv[2]);
