/** Zips whose directory is gone: what is in them is found by what the entries say of themselves. */
import {
  TextReader,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { storeOf } from '../../web/engine/pieces';
import { withNewDirectory } from '../../web/engine/zipDirectory';

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

/** The texts that are found in the first `bytes` of a zip; what cannot be read is told as such. */
async function foundIn(bytes: Uint8Array): Promise<Record<string, string>> {
  const { store } = await withNewDirectory(
    storeOf(new Blob([bytes as Uint8Array<ArrayBuffer>])),
    100,
  );
  const all = await store.read(0, store.size);
  const found: Record<string, string> = {};
  for (const entry of await new ZipReader(new Uint8ArrayReader(all), {
    useWebWorkers: false,
  }).getEntries()) {
    if (entry.directory) continue;
    const content = entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
    found[entry.filename] = await content.then(
      (read) => new TextDecoder().decode(read),
      () => 'damaged',
    );
  }
  return found;
}

describe('a zip without its directory', () => {
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
