// A WebAssembly module that counts what it executes: the same on a quiet machine and a busy one.
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

/** The name under which the count is exported, a global of 64 bits. */
export const countName = 'instructions';

/**
 * What control reaches from elsewhere, or leaves early, ends a row of instructions that are
 * executed together: loop, if, else, catch, end, branches, return, delegate, catch_all.
 */
const ends = new Set([0, 3, 4, 5, 7, 8, 9, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x18, 0x19]);

const i64 = 0x7e;

/** `value` as a constant, which has a sign. */
function signed(value) {
  const bytes = numberOf(value);
  const last = bytes.at(-1);
  return last < 64 ? bytes : Buffer.from([...bytes.subarray(0, -1), last | 128, 0]);
}

/** A function's body in which each row of instructions first adds how many they are to `global`. */
function countedBody(bytes, global) {
  const body = new Reader(bytes);
  locals(body);
  const parts = [bytes.subarray(0, body.at)];
  let begin = body.at;
  let count = 0;
  const add = () => {
    const index = numberOf(global);
    if (count > 0)
      // global.get, i64.const, i64.add, global.set
      parts.push(
        Buffer.of(0x23),
        index,
        Buffer.of(0x42),
        signed(count),
        Buffer.of(0x7c, 0x24),
        index,
      );
    parts.push(bytes.subarray(begin, body.at));
    begin = body.at;
    count = 0;
  };
  while (!body.done) {
    const code = instruction(body);
    count += 1;
    if (ends.has(code)) add();
  }
  add();
  return Buffer.concat(parts);
}

/** The module that counts; its exports have one more, `countName`. */
export function counting(module) {
  const sections = sectionsOf(module);
  const globals = new Reader(sections.find(({ id }) => id === section.global).bytes);
  const global = globals.number();
  const written = {
    [section.global]: (bytes) =>
      Buffer.concat([
        numberOf(global + 1),
        bytes.subarray(globals.at),
        Buffer.of(i64, 1, 0x42, 0, 0x0b),
      ]),
    [section.export]: (bytes) => {
      const exports = new Reader(bytes);
      const known = exports.number();
      const name = Buffer.from(countName);
      return Buffer.concat([
        numberOf(known + 1),
        bytes.subarray(exports.at),
        sized(name),
        Buffer.of(3),
        numberOf(global),
      ]);
    },
    [section.code]: (bytes) => {
      const code = new Reader(bytes);
      return listOf(code.list(() => sized(countedBody(code.take(code.number()), global))));
    },
  };
  return moduleOf(
    module,
    sections.map(({ id, bytes }) => ({ id, bytes: written[id]?.(bytes) ?? bytes })),
  );
}
