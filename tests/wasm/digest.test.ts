/** By what the bytes of a file are recognised when it is opened again. */
import { readFile } from 'node:fs/promises';
import createCrema, { type Crema } from 'crema-core/crema.js';
import { beforeAll, describe, expect, it } from 'vitest';

let crema: Crema;

beforeAll(async () => {
  const wasmBinary = await readFile(new URL('../../build/wasm/crema.wasm', import.meta.url));
  crema = await createCrema({ wasmBinary });
});

/** The digest of `bytes` that come in pieces of `size`. */
function digestOf(bytes: Uint8Array, size = bytes.length): string {
  const session = new crema.Session();
  try {
    const file = session.addFile(session.beginSingleFiles(''), 'bytes', bytes.length);
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      session.input().set(piece);
      session.push(file, piece.length);
    }
    return session.digest(file);
  } finally {
    session.delete();
  }
}

/** Digits, as runs have them. */
const digits = (length: number) =>
  Uint8Array.from({ length }, (_, i) => 48 + ((i * i + 7 * i) % 10));

describe('the digest of a file', () => {
  it('does not depend on its pieces', () => {
    const bytes = digits(5_003);
    const whole = digestOf(bytes);
    for (const size of [1, 7, 31, 32, 33, 4_096]) expect(digestOf(bytes, size)).toBe(whole);
  });

  it('differs with every byte, and with zeros at the end', () => {
    const bytes = digits(200);
    const seen = new Set([digestOf(bytes)]);
    for (let at = 0; at < bytes.length; at++) {
      const other = bytes.slice();
      other[at] = (other[at] ?? 0) ^ 1;
      seen.add(digestOf(other));
    }
    for (let zeros = 1; zeros <= 70; zeros++)
      seen.add(digestOf(Uint8Array.from([...bytes, ...new Array<number>(zeros).fill(0)])));
    expect(seen.size).toBe(1 + 200 + 70);
  });

  it('differs where two bytes change places, however far apart', () => {
    const bytes = digits(1 << 16);
    const whole = digestOf(bytes);
    // the highest byte of a word, which sums of sums multiply beyond 64 bits
    for (const at of [0, 7, 15, 31])
      for (let apart = 8; at + apart < bytes.length; apart *= 2) {
        const other = bytes.slice();
        [other[at], other[at + apart]] = [0x30, 0x31];
        const swapped = bytes.slice();
        [swapped[at], swapped[at + apart]] = [0x31, 0x30];
        expect(digestOf(other)).not.toBe(digestOf(swapped));
        expect([digestOf(other), digestOf(swapped)]).not.toEqual([whole, whole]);
      }
  });
});
