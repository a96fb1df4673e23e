// Puts the functions of a WebAssembly module in an order that compresses well: gzip looks back no
// further than 32 kB, so functions that are alike have to stand together. Nothing else changes. The
// module has no names: those would stay where they are.
//
//     node scripts/order-functions.mjs MODULE.wasm
import { readFileSync, writeFileSync } from 'node:fs';

/** As far as gzip looks back, with room for what is between. */
const windowBytes = 30_000;
/** Bodies are alike by the runs of so many bytes that they share. */
const runBytes = 6;
/** What more functions than this share is everywhere. */
const mostHolders = 40;
/** Keeps functions of a few bytes from being like everything. */
const smallBytes = 100;

const section = { import: 2, function: 3, export: 7, start: 8, element: 9, code: 10 };

/** Bytes of a module, read one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  get done() {
    return this.at >= this.bytes.length;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** An unsigned number, or the low bits of one with a sign. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  numbers(count) {
    for (let i = 0; i < count; i++) this.number();
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  list(item) {
    return Array.from({ length: this.number() }, item);
  }
}

/** `value` in as few bytes as it takes. */
function numberOf(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const sized = (bytes) => Buffer.concat([numberOf(bytes.length), bytes]);
const listOf = (items) => Buffer.concat([numberOf(items.length), ...items]);

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

/** Steps over one instruction. */
function instruction(reader, functionIndex) {
  const code = reader.byte();
  if (code === 0x10 || code === 0x12 || code === 0xd2)
    functionIndex(); // call, ref.func
  else if (code === 0x0e)
    reader.numbers(reader.number() + 1); // br_table
  else if (code === 0x11 || code === 0x13 || (code >= 0x28 && code <= 0x3e)) reader.numbers(2);
  else if (code === 0x1c)
    reader.numbers(reader.number()); // select
  else if (code === 0x43)
    reader.take(4); // f32.const
  else if (code === 0x44)
    reader.take(8); // f64.const
  else if (code === 0xfc) bulkInstruction(reader);
  else if (code === 0xfd) vectorInstruction(reader);
  else if (oneNumber.has(code)) reader.number();
  else if (!alone(code)) throw new Error(`an instruction that is not known: ${code}`);
}

/** Blocks, branches, exceptions, variables, tables, sizes of memory, constants, null. */
const oneNumber = new Set(
  [2, 3, 4, 6, 7, 8, 9, 0x0c, 0x0d, 0x18, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26].concat([
    0x3f, 0x40, 0x41, 0x42, 0xd0,
  ]),
);
const alone = (code) =>
  [0, 1, 5, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1].includes(code) || (code >= 0x45 && code <= 0xc4);

function bulkInstruction(reader) {
  const code = reader.number();
  if (code > 17) throw new Error(`an instruction that is not known: 0xfc ${code}`);
  if (code >= 8) reader.numbers([8, 10, 12, 14].includes(code) ? 2 : 1);
}

function vectorInstruction(reader) {
  const code = reader.number();
  if (code <= 11 || code === 92 || code === 93)
    reader.numbers(2); // loads and stores
  else if (code <= 13)
    reader.take(16); // a constant, a shuffle
  else if (code >= 21 && code <= 34)
    reader.byte(); // a lane
  else if (code >= 84 && code <= 91) {
    reader.numbers(2);
    reader.byte();
  }
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
  const header = module.subarray(0, 8);
  const reader = new Reader(module, 8);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), bytes: reader.take(reader.number()) });
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
              for (let groups = body.number(); groups > 0; groups--) body.numbers(2); // locals
              while (!body.done) instruction(body, functionIndex);
            }),
          ),
        ),
      ),
  };
  return Buffer.concat([
    header,
    ...sections.flatMap(({ id, bytes }) => [
      Buffer.from([id]),
      sized(written[id]?.(bytes) ?? bytes),
    ]),
  ]);
}

function importedFunctions(imports) {
  let functions = 0;
  for (let left = imports.number(); left > 0; left--) {
    imports.take(imports.number());
    imports.take(imports.number());
    if (imports.byte() !== 0) throw new Error('an import that is no function');
    imports.number();
    functions++;
  }
  return functions;
}

const [, , path] = process.argv;
try {
  writeFileSync(path, reordered(readFileSync(path)));
} catch (problem) {
  // of a later Emscripten, say: it works as it is
  console.warn(`${path} stays as it was linked, and is larger to download: ${problem.message}`);
}
