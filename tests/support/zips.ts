/** Zips as they come from users' disks: whole, with odd names, cut off, damaged. */
import { readFile } from 'node:fs/promises';
import { fileNames, pathOf } from './bundles';
import { honest, type LyingEntry, lyingZip } from './hostileZip';

/** A recorded bundle as entries of `folder`. */
export async function entriesOf(
  bundle: string,
  folder: string | Buffer,
  only?: string[],
): Promise<LyingEntry[]> {
  const names = (await fileNames(bundle)).filter((name) => only?.includes(name) ?? true);
  const place = (name: string) =>
    Buffer.concat([Buffer.from(folder as string), Buffer.from(`/${name}`)]);
  return Promise.all(
    names.map(async (name) => honest(place(name), await readFile(pathOf(bundle, name)))),
  );
}

/**
 * The folder in the three ways in which programs write names: marked as UTF-8, UTF-8 but not
 * marked, and Latin-1.
 */
export const oddNames: Record<
  string,
  (entries: (folder: string | Buffer) => Promise<LyingEntry[]>) => Promise<Buffer<ArrayBuffer>>
> = {
  'marked as UTF-8': async (entries) => lyingZip(await entries('mesuré')),
  'UTF-8, not marked': async (entries) =>
    lyingZip((await entries('mesuré')).map((one) => ({ ...one, utf8: false }))),
  'Latin-1': async (entries) =>
    lyingZip(
      (await entries(Buffer.from('mesuré', 'latin1'))).map((one) => ({ ...one, utf8: false })),
    ),
};

/** What is left when a download stops within the last entry. */
export function cutOff(zip: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  return zip.subarray(0, zip.indexOf('PK\u0001\u0002', 'latin1') - 200);
}

/** With the header before the bytes of `name` overwritten. */
export function withoutHeaderOf(zip: Buffer<ArrayBuffer>, name: string): Buffer<ArrayBuffer> {
  const copy = Buffer.from(zip);
  copy.fill(0, copy.indexOf(name) - 30, copy.indexOf(name));
  return copy;
}
