/**
 * Archives above 4 GB have another form, zip64; it is read like any other, and never lies in memory
 * as a whole.
 */
import { BlobReader, BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';
import { pieceSize } from '../../web/engine/pieces';
import { bundle, fileOf } from '../support/bundles';

let engine: CoreEngine;

beforeEach(async () => {
  engine = await createNodeEngine();
});

describe('a zip64 archive', () => {
  /** Stored and packed, both larger than one piece: JSON may end in any white space. */
  async function archive(): Promise<Blob> {
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false, zip64: true });
    const [stored, packed] = await Promise.all(
      ['scale-1', 'scale-2'].map((name) => fileOf(name, 'metrics.json')),
    );
    const space = ' '.repeat(2 * pieceSize);
    await zip.add('a/metrics.json', new BlobReader(new Blob([stored?.data ?? '', space])), {
      level: 0,
    });
    await zip.add('b/metrics.json', new BlobReader(new Blob([packed?.data ?? '', space])), {
      level: 6,
    });
    await zip.add('notes.txt', new TextReader('no bundle'));
    return zip.close();
  }

  it('opens, entries stored and packed', async () => {
    const { runs } = await engine.open([{ path: 'runs.zip', data: await archive() }]);
    expect(runs).toHaveLength(2);
    const plain = await engine.open([...(await bundle('scale-1')), ...(await bundle('scale-2'))]);
    for (const [index, run] of runs.entries()) {
      const events = (of: number | undefined) =>
        engine
          .answer('summary', { runs: of === undefined ? [] : [of] })
          .columns.find(({ name }) => name === 'value');
      expect(events(run)).toEqual(events(plain.runs[index]));
    }
  });

  it('is read entry by entry, a piece at a time', async () => {
    const data = await archive();
    const reads: [begin: number, end: number][] = [];
    const store = {
      size: data.size,
      read: async (begin: number, end: number) => {
        reads.push([begin, end]);
        return new Uint8Array(await data.slice(begin, end).arrayBuffer());
      },
    };
    const { runs } = await engine.openStores([{ path: 'runs.zip', store }]);
    expect(runs).toHaveLength(2);
    expect(Math.max(...reads.map(([begin, end]) => end - begin))).toBeLessThanOrEqual(pieceSize);
    // After the directory at the end of the archive the reads go up to it, entry after entry.
    const begins = reads.map(([begin]) => begin);
    const first = begins.lastIndexOf(0);
    expect(first).toBeGreaterThan(0);
    expect(begins.slice(first)).toEqual(begins.slice(first).toSorted((a, b) => a - b));
  });
});
