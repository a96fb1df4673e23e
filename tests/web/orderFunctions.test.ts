/** The order of functions in the module that is downloaded (scripts/order-functions.mjs). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/order-functions.mjs', import.meta.url));

const sized = (...bytes: number[]) => [bytes.length, ...bytes];
const times = (count: number, ...bytes: number[]) => Array<number[]>(count).fill(bytes).flat();
const functionOf = (...code: number[]) => sized(0, 0x20, 0, ...code, 0x0b);
const add = (constant: number) => [0x41, constant, 0x6a];
const multiply = (constant: number) => [0x41, constant, 0x6c];

/** f(x) = (x + 4) · 16, by a call, and in the table g(x) = x + 4 + 1, which is like f. */
const module = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, ...sized(1, 0x60, 1, 0x7f, 1, 0x7f)], // i32 → i32
  ...[2, ...sized(1, ...sized(0x65), ...sized(0x65), 0, 0)],
  ...[3, ...sized(3, 0, 0, 0)],
  ...[4, ...sized(1, 0x70, 0, 1)],
  ...[7, ...sized(2, ...sized(0x66), 0, 1, ...sized(0x74), 1, 0)],
  ...[9, ...sized(1, 0, 0x41, 0, 0x0b, 1, 3)],
  ...[
    10,
    ...sized(
      3,
      ...functionOf(...times(4, ...add(1)), 0x10, 2), // f calls the next one
      ...functionOf(...times(4, ...multiply(2))),
      ...functionOf(...times(4, ...add(1)), ...add(1)), // g
    ),
  ],
]);

function ordered(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const path = join(mkdtempSync(join(tmpdir(), 'crema-order-')), 'm.wasm');
  writeFileSync(path, bytes);
  execFileSync(process.execPath, [script, path], { stdio: 'ignore' });
  return Uint8Array.from(readFileSync(path));
}

it('puts alike functions together, and whoever calls them still does', async () => {
  const bytes = ordered(module);
  expect(bytes.length).toBe(module.length);
  // the one that multiplies was between those that add
  expect(module.lastIndexOf(0x6c)).toBeLessThan(module.lastIndexOf(0x6a));
  expect(bytes.lastIndexOf(0x6c)).toBeGreaterThan(bytes.lastIndexOf(0x6a));
  const { instance } = await WebAssembly.instantiate(bytes, { e: { e: (x: number) => x } });
  const { f, t } = instance.exports as unknown as {
    f: (x: number) => number;
    t: WebAssembly.Table;
  };
  expect(f(1)).toBe(80);
  expect(t.get(0)(1)).toBe(6);
});

it('leaves what it cannot read as it is', () => {
  const unknown = module.slice();
  unknown[unknown.lastIndexOf(0x6a)] = 0xff;
  expect(ordered(unknown)).toEqual(unknown);
});
