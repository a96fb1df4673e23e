/**
 * Files that nobody should have written: every recorded input, damaged in every way. The same ones
 * in every run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { InputFile } from '../../web/engine/engine';

/** Something to open, and in what way it is bad. */
export interface BadInput {
  kind: string;
  name: string;
  files: InputFile[];
}

/** Numbers from [0, 1), always the same ones (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const below = (random: Random, end: number): number => Math.floor(random() * end);
const oneOf = <T>(random: Random, all: readonly T[]): T => all[below(random, all.length)] as T;

// Texts have one character per byte (latin1), so that bytes that are no text survive.
type Mutation = (text: string, random: Random) => string;

const number = /-?\d[\d.eE+-]*/g;
const scalar = /(?<=[[:,]\s*)(?:-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*"|true|false|null)(?=\s*[\],}])/g;
const member =
  /"(?:[^"\\]|\\.)*"\s*:\s*(?:-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*"|true|false|null)(?=\s*[,}])/g;
const key = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

/** Replaces a match of `pattern` somewhere in `text`; without one, the bytes at a place. */
function replaceOne(
  text: string,
  pattern: RegExp,
  random: Random,
  make: (match: string) => string,
): string {
  pattern.lastIndex = below(random, text.length);
  let found = pattern.exec(text);
  if (!found) {
    pattern.lastIndex = 0;
    found = pattern.exec(text);
  }
  const at = found?.index ?? below(random, text.length);
  const old = found?.[0] ?? '';
  return text.slice(0, at) + make(old) + text.slice(at + old.length);
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/**
 * By what they do. All but the first few know what JSON looks like; on other texts they put their
 * nonsense anywhere.
 */
export const mutations: Record<string, Mutation> = {
  'cut off': (text, random) => text.slice(0, below(random, text.length)),
  'bytes changed': (text, random) => {
    const bytes = Buffer.from(text, 'latin1');
    for (let count = 0; count < 8; count += 1)
      bytes[below(random, bytes.length)] = below(random, 256);
    return bytes.toString('latin1');
  },
  'a part missing': (text, random) => {
    const at = below(random, text.length);
    return text.slice(0, at) + text.slice(at + 1 + below(random, 200));
  },
  'a part twice': (text, random) => {
    const at = below(random, text.length);
    return text.slice(0, at + 1 + below(random, 2000)) + text.slice(at);
  },
  'not UTF-8': (text, random) =>
    replaceOne(text, scalar, random, () => '"\xff\xfe\xc0\x80\xed\xa0\x80"'),
  'another type': (text, random) =>
    replaceOne(text, scalar, random, () =>
      oneOf(random, ['{}', '[]', '"x"', 'null', 'true', '[[1]]', '{"a": 1}']),
    ),
  'a key renamed': (text, random) => replaceOne(text, key, random, () => '"__proto__"'),
  'a key twice': (text, random) =>
    replaceOne(
      text,
      member,
      random,
      (old) => `${old}, ${old.slice(0, old.lastIndexOf(':'))}: [{}]`,
    ),
  'a huge number': (text, random) =>
    replaceOne(text, number, random, () =>
      oneOf(random, [
        '1e999',
        '-1e308',
        '9'.repeat(400),
        '18446744073709551616',
        '-0',
        '1e-400',
        '253402300800',
      ]),
    ),
  'not a number': (text, random) =>
    replaceOne(text, number, random, () =>
      oneOf(random, ['NaN', '-Infinity', '-', '0x10', '1.', '.5', '01', '1e']),
    ),
  'nested deeply': (text, random) => replaceOne(text, scalar, random, () => nested(20_000)),
  'a giant string': (text, random) =>
    replaceOne(text, scalar, random, () => `"${'<b>\\u0000'.repeat(150_000)}"`),
  'many keys': (text, random) =>
    replaceOne(text, key, random, (old) => {
      const keys = Array.from({ length: 20_000 }, (_, count) => `"k${count}": ${count}`);
      return `${keys.join(', ')}, ${old || '"k"'}`;
    }),
};

const data = fileURLToPath(new URL('../data/', import.meta.url));

/** Every recorded file that a user could open, unpacked. */
function recordedInputs(): { path: string; text: string; packed: boolean }[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/oracle\.json|README\.md/.test(entry.name))
    .map((entry) => `${entry.parentPath.slice(data.length)}/${entry.name}`.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const bytes = readFileSync(data + path);
      const packed = path.endsWith('.gz');
      return { path, text: (packed ? gunzipSync(bytes) : bytes).toString('latin1'), packed };
    });
}

const mutationsEach = 4;

/** What is no run of its own, and so is opened beside a small one. */
const companion = readFileSync(`${data}no-decorator/metrics.json`);
const isCompanion = (path: string) =>
  /(metadata|report|scheduler_info|span_\w+|start_end_time|task_stream)\.\w+/.test(path);

/** `bytes` as a file of a folder, where a run is when it needs one. */
function asRun(path: string, bytes: Uint8Array<ArrayBuffer>): InputFile[] {
  const name = `run/${path.slice(path.lastIndexOf('/') + 1)}`;
  const bad = { path: name, data: new Blob([bytes]) };
  return isCompanion(path)
    ? [{ path: 'run/metrics.json', data: new Blob([companion]) }, bad]
    : [bad];
}

/**
 * Every recorded input in four damaged forms, all forms in turn, and every packed one with damage
 * to the packing.
 */
export function* damagedInputs(): Generator<BadInput> {
  const random = randomNumbers(11);
  const kinds = Object.keys(mutations);
  let turn = 0;
  for (const { path, text, packed } of recordedInputs()) {
    for (let count = 0; count < mutationsEach; count += 1) {
      const kind = kinds[turn % kinds.length] as string;
      turn += 1;
      const bad = Buffer.from(mutations[kind]?.(text, random) ?? '', 'latin1');
      yield { kind, name: path, files: asRun(path.replace(/\.gz$/, ''), bad) };
    }
    if (!packed) continue;
    const gz = gzipSync(Buffer.from(text, 'latin1'), { level: 1 });
    for (const kind of ['cut off', 'bytes changed']) {
      const bad = Buffer.from(mutations[kind]?.(gz.toString('latin1'), random) ?? '', 'latin1');
      // its first bytes make it an archive
      bad.set([0x1f, 0x8b, 8].slice(0, bad.length));
      yield { kind: `gz: ${kind}`, name: path, files: asRun(path, bad) };
    }
  }
}
