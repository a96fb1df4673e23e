// The binary format of WebAssembly, as far as the tools that change a module need it.
export const section = {
  import: 2,
  function: 3,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
};

const headerBytes = 8;

/** Bytes of a module, read one after the other. */
export class Reader {
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
export function numberOf(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

export const sized = (bytes) => Buffer.concat([numberOf(bytes.length), bytes]);
export const listOf = (items) => Buffer.concat([numberOf(items.length), ...items]);

/**
 * Steps over one instruction, calls `functionIndex` where the index of a function comes next, and
 * returns its first byte.
 */
export function instruction(reader, functionIndex = () => reader.number()) {
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
  return code;
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

/** The sections of a module: [{ id, bytes }], in their order. */
export function sectionsOf(module) {
  const reader = new Reader(module, headerBytes);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), bytes: reader.take(reader.number()) });
  return sections;
}

/** A module of `sections`, with the header of `module`. */
export const moduleOf = (module, sections) =>
  Buffer.concat([
    module.subarray(0, headerBytes),
    ...sections.flatMap(({ id, bytes }) => [Buffer.from([id]), sized(bytes)]),
  ]);

/** Steps over the types of a function's variables, with which its body begins. */
export function locals(body) {
  for (let groups = body.number(); groups > 0; groups--) body.numbers(2);
}
