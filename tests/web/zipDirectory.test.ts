/**
 * Zips in all forms, as another program writes them; where their directory is gone, what is in them
 * is found by what the entries say of themselves.
 */
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { type Piece, storeOf } from '../../web/engine/pieces';
import type { SourcePolicy } from '../../web/engine/sourcePolicy';
import { entriesOf } from '../../web/engine/zip';

const texts = {
  'run/metrics.json': 'first '.repeat(50_000),
  'run/é.json': 'second',
  'run/empty': '',
  'run/last': 'PK\u0003\u0004 is no entry',
};

async function zipOf(options: object): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, ...options });
  for (const [name, text] of Object.entries(texts)) await zip.add(name, new TextReader(text));
  return zip.close();
}

const everything: SourcePolicy = {
  maxArchiveDepth: 3,
  mostEntries: 100,
  tooMuchUnpacked: 'too much',
  tooManyEntries: 'too many',
  encryptedEntry: 'encrypted',
  counts: () => true,
  entryPath: (name) => name,
  placeOf: (path) => ({ source: path, folder: '' }),
  mayUnpack: () => true,
};

/** The texts that are found in a zip, or in a part of one; what cannot be read is told as such. */
async function foundIn(bytes: Uint8Array): Promise<Record<string, string>> {
  const store = storeOf(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const found: Record<string, string> = {};
  try {
    const { entries } = await entriesOf(store, everything, (pieces) => pieces);
    for (const { path, pieces } of entries) {
      const parts: Piece[] = [];
      try {
        for await (const piece of pieces) parts.push(piece.slice());
        found[path] = Buffer.concat(parts).toString();
      } catch {
        found[path] = 'damaged';
      }
    }
  } catch {
    // nothing can be found in it
  }
  return found;
}

describe('a zip with its directory, and without', () => {
  const forms: Record<string, object> = {
    'with sizes before the bytes': { dataDescriptor: false },
    'with sizes behind them': { dataDescriptor: true, dataDescriptorSignature: true },
    'with sizes behind them, unmarked': { dataDescriptor: true, dataDescriptorSignature: false },
    'with sizes of 64 bits': { zip64: true, dataDescriptor: true, dataDescriptorSignature: true },
    'with sizes of 64 bits before the bytes': { zip64: true, dataDescriptor: false },
    'not packed': { level: 0, dataDescriptor: false },
    'not packed, with sizes behind': {
      level: 0,
      dataDescriptor: true,
      dataDescriptorSignature: true,
    },
  };
  for (const [form, options] of Object.entries(forms)) {
    it(`gives all entries: ${form}`, async () => {
      const zip = await zipOf(options);
      expect(await foundIn(zip)).toEqual(texts);
      // what stands before it, as in an archive that unpacks itself, moves all places
      expect(await foundIn(Buffer.concat([Buffer.from('#!/bin/sh'), zip]))).toEqual(texts);
      const directory = new TextDecoder('latin1').decode(zip).indexOf('PK\u0001\u0002');
      expect(await foundIn(zip.subarray(0, directory))).toEqual(texts);
      // the end of the last entry is gone, too
      const { 'run/last': _, ...whole } = texts;
      const cut = zip.subarray(0, directory - 20);
      expect(await foundIn(cut)).toMatchObject({ ...whole });
    });
  }

  it('holds nothing where nothing of it is left', async () => {
    expect(
      await foundIn(new TextEncoder().encode('no zip at all, PK\u0003\u0004, nor a part of one')),
    ).toEqual({});
  });
});
