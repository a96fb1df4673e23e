/** What is in zips, whole and damaged. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Piece, storeOf } from '../../web/engine/pieces';
import type { SourcePolicy } from '../../web/engine/sourcePolicy';
import { entriesOf } from '../../web/engine/zip';
import { honest, type LyingEntry, lyingZip } from '../support/hostileZip';
import { cutOff, withoutHeaderOf } from '../support/zips';

/** Everything counts. */
const policy: SourcePolicy = {
  maxArchiveDepth: 3,
  mostEntries: 10,
  tooMuchUnpacked: 'too much',
  tooManyEntries: 'too many',
  encryptedEntry: 'encrypted',
  counts: () => true,
  entryPath: (name) => name,
  placeOf: (path) => ({ source: path, folder: '' }),
  mayUnpack: () => true,
};

/** Of each entry its text and what is said of it; under '' what is said of the archive. */
async function readAll(
  zip: Buffer<ArrayBuffer>,
): Promise<Record<string, [text: string, fault: string]>> {
  const { entries, problem } = await entriesOf(
    storeOf(new Blob([zip])),
    policy,
    (pieces) => pieces,
  );
  const all: Record<string, [string, string]> = problem ? { '': ['', problem.message] } : {};
  for (const { path, pieces } of entries) {
    const parts: Piece[] = [];
    let fault = '';
    try {
      for await (const piece of pieces) parts.push(piece.slice());
    } catch (why) {
      fault = (why as Error).message;
    }
    all[path] = [Buffer.concat(parts).toString(), fault];
  }
  return all;
}

// does not become much smaller by packing
const numbers = Array.from({ length: 20_000 }, (_, index) => (index * index) % 9973).join(' ');
const wrong = expect.stringContaining('its checksum differs');

describe('a zip', () => {
  it('is read entry by entry', async () => {
    expect(await readAll(lyingZip([honest('a', numbers), honest('é', 'small')]))).toEqual({
      a: [numbers, ''],
      é: ['small', ''],
    });
  });

  for (const [size, text] of Object.entries({
    large: numbers.repeat(30),
    middling: numbers,
    small: 'one two',
  })) {
    it(`with a wrong checksum of a ${size} entry gives all of it, and says so`, async () => {
      const bad: LyingEntry = { ...honest('bad', text), crc: 1 };
      expect(await readAll(lyingZip([bad, honest('good', 'fine')]))).toEqual({
        bad: [text, wrong],
        good: ['fine', ''],
      });
    });
  }

  it('with a flipped byte in an entry gives what stands before it', async () => {
    const entry = honest('bad', numbers);
    const packed = Buffer.from(deflateRawSync(Buffer.from(numbers)));
    packed.fill(0xff, 20_000, 20_050);
    const found = await readAll(lyingZip([{ ...entry, packed }, honest('good', 'fine')]));
    expect(found.good).toEqual(['fine', '']);
    expect(found.bad?.[1]).toMatch(/\w+ \w+/);
    expect(found.bad?.[0].length).toBeGreaterThan(10_000);
    expect(numbers.startsWith(found.bad?.[0].slice(0, 10_000) ?? '?')).toBe(true);
  });

  it('that is cut off gives its entries, of the last one what is there', async () => {
    const found = await readAll(
      cutOff(lyingZip([honest('first', 'fine'), honest('last', numbers)])),
    );
    expect(found['']?.[1]).toMatch(/cut off.*2 files were found/);
    expect(found.first).toEqual(['fine', '']);
    expect(found.last?.[1]).toBe('it is cut off: its end is missing');
    expect(found.last?.[0].length).toBeGreaterThan(numbers.length / 2);
    expect(numbers.startsWith(found.last?.[0] ?? '?')).toBe(true);
  });

  it('with an overwritten header says which entry is missing', async () => {
    const zip = lyingZip([
      honest('first', 'fine'),
      honest('second', numbers),
      honest('third', 'too'),
    ]);
    expect(await readAll(withoutHeaderOf(zip, 'second'))).toEqual({
      first: ['fine', ''],
      second: ['', 'it cannot be read: the archive holds something else at its position'],
      third: ['too', ''],
    });
  });

  it('that is none is refused', async () => {
    await expect(readAll(Buffer.from('PK\u0003\u0004 and nothing else'))).rejects.toThrow(/\w/);
  });
});
