/**
 * A zip has its directory at its end, and loses it when a download stops; but each entry says
 * again, before its bytes, what it is. Where the directory cannot be read, a new one is written
 * from what the entries say, as `zip -FF` does: from then on the zip is read like any other. Fields
 * as in PKWARE's APPNOTE.TXT, all little-endian.
 */
import type { Bytes } from './engine';
import { concatenated, type Piece, type Store } from './pieces';

const signatures = { entry: 0x04034b50, descriptor: 0x08074b50, directory: 0x02014b50 };
const headerSize: Bytes = 30;
const zip64Field = 0x0001;
/** Says that the value stands in a field of 64 bits. */
const elsewhere = 0xffffffff;
/** From this version on an entry may have sizes of 64 bits. */
const zip64Version = 45;
/** Deflate makes nothing smaller than by this. */
const mostDeflated = 1032;

interface Entry {
  /** of its header */
  at: Bytes;
  version: number;
  flags: number;
  method: number;
  crc: number;
  /** where its bytes begin */
  begin: Bytes;
  /** as far as they are there */
  packed: Bytes;
  unpacked: Bytes;
  isCut: boolean;
  name: Uint8Array;
}

/**
 * `store` with a directory of the entries that are found in it, of which no more than `most` are
 * looked for, and where the one begins that has no end.
 */
export async function withNewDirectory(
  store: Store,
  most: number,
): Promise<{ store: Store; cutAt: Bytes | undefined }> {
  const entries: Entry[] = [];
  for (let at = 0; entries.length < most; ) {
    const next = await find(store, at, [signatures.entry]);
    if (!next) break;
    const entry = await entryAt(store, next.at);
    if (entry) entries.push(entry);
    at = entry ? entry.begin + entry.packed : next.at + 4;
  }
  const cutAt = entries.find((entry) => entry.isCut)?.at;
  return { store: joined(store, directoryOf(entries, store.size)), cutAt };
}

/** The entry whose header stands at `at`; undefined when what stands there is none. */
async function entryAt(store: Store, at: Bytes): Promise<Entry | undefined> {
  const header = await viewOf(store, at, headerSize);
  if (header.byteLength < headerSize) return undefined;
  const u16 = (offset: Bytes) => header.getUint16(offset, true);
  const u32 = (offset: Bytes) => header.getUint32(offset, true);
  const [version, flags, method, nameSize] = [u16(4), u16(6), u16(8), u16(26)];
  const begin = at + headerSize + nameSize + u16(28);
  // the same four bytes may stand anywhere in what is packed
  if ((version & 0xff) > 63 || method > 99 || nameSize === 0 || begin > store.size)
    return undefined;
  const name = await store.read(at + headerSize, at + headerSize + nameSize);
  const long = zip64Sizes(await viewOf(store, at + headerSize + nameSize, u16(28)));
  const sizes = {
    crc: u32(14),
    packed: u32(18),
    unpacked: u32(22),
    ...(u32(18) === elsewhere ? long : undefined),
  };
  const known = { at, version, flags, method, begin, name: name.slice() };
  // whoever writes without looking back says the sizes only afterwards
  const later = (flags & 8) !== 0 && sizes.packed === 0;
  const said = later
    ? await descriptorOf(store, begin, version >= zip64Version || long !== undefined)
    : sizes;
  if (said && begin + said.packed <= store.size) return { ...known, ...said, isCut: false };
  const packed = store.size - begin;
  return {
    ...known,
    crc: said?.crc ?? 0,
    packed,
    unpacked: said?.unpacked ?? packed * mostDeflated,
    isCut: true,
  };
}

function zip64Sizes(extra: DataView): Pick<Entry, 'packed' | 'unpacked'> | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== zip64Field || at + 20 > extra.byteLength) continue;
    return { unpacked: u64(extra, at + 4), packed: u64(extra, at + 12) };
  }
  return undefined;
}

/**
 * What stands behind the bytes that begin at `begin`: it is known by the size that it says, which
 * is where it stands.
 */
async function descriptorOf(
  store: Store,
  begin: Bytes,
  isLong: boolean,
): Promise<Pick<Entry, 'crc' | 'packed' | 'unpacked'> | undefined> {
  for (let from = begin; ; ) {
    const next = await find(store, from, Object.values(signatures));
    // its own signature may be missing: then it ends where that of something else, or nothing,
    // follows
    const isNamed = next?.signature === signatures.descriptor;
    const end = isNamed ? next.at : (next?.at ?? store.size) - (isLong ? 20 : 12);
    const view = await viewOf(store, isNamed ? end + 4 : end, 20);
    if (end >= begin && view.byteLength >= (isLong ? 20 : 12)) {
      const [packed, unpacked] = isLong
        ? [u64(view, 4), u64(view, 12)]
        : [view.getUint32(4, true), view.getUint32(8, true)];
      if (packed === end - begin) return { crc: view.getUint32(0, true), packed, unpacked };
    }
    if (!next) return undefined;
    from = next.at + 4;
  }
}

/** The next of some signatures at `from` or behind it. */
async function find(
  store: Store,
  from: Bytes,
  wanted: number[],
): Promise<{ at: Bytes; signature: number } | undefined> {
  const step = 2 ** 18;
  for (let begin = from; begin + 4 <= store.size; begin += step) {
    // with the three bytes more that a signature on the border needs
    const view = await viewOf(store, begin, step + 3);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (
      let at = bytes.indexOf(0x50);
      at >= 0 && at + 4 <= bytes.length;
      at = bytes.indexOf(0x50, at + 1)
    ) {
      const signature = view.getUint32(at, true);
      if (wanted.includes(signature)) return { at: begin + at, signature };
    }
  }
  return undefined;
}

/** All sizes and places in 64 bits, which any archive may have. */
function directoryOf(entries: readonly Entry[], begin: Bytes): Uint8Array<ArrayBuffer> {
  const headers = entries.flatMap(({ at, version, flags, method, crc, packed, unpacked, name }) => [
    fields(4, signatures.directory, 2, version, 2, version, 2, flags, 2, method, 4, 0, 4, crc),
    fields(4, elsewhere, 4, elsewhere, 2, name.length, 2, 28, 2, 0, 2, 0, 2, 0, 4, 0, 4, elsewhere),
    name,
    fields(2, zip64Field, 2, 24, 8, unpacked, 8, packed, 8, at),
  ]);
  const size = headers.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  return concatenated([
    ...headers,
    fields(
      4,
      0x06064b50,
      8,
      44,
      2,
      zip64Version,
      2,
      zip64Version,
      4,
      0,
      4,
      0,
      8,
      count,
      8,
      count,
      8,
      size,
      8,
      begin,
    ),
    fields(4, 0x07064b50, 4, 0, 8, begin + size, 4, 1),
    fields(4, 0x06054b50, 2, 0, 2, 0, 2, 0xffff, 2, 0xffff, 4, elsewhere, 4, elsewhere, 2, 0),
  ]);
}

/** Numbers one after the other, each behind the bytes that it takes. */
function fields(...pairs: number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    let rest = pairs[at + 1] ?? 0;
    for (let width = pairs[at] ?? 0; width > 0; width -= 1) {
      bytes.push(rest % 256);
      rest = Math.floor(rest / 256);
    }
  }
  return Uint8Array.from(bytes);
}

/** `store` with `tail` behind it. */
function joined(store: Store, tail: Uint8Array<ArrayBuffer>): Store {
  const own = store.size;
  return {
    size: own + tail.length,
    read: async (begin, end): Promise<Piece> => {
      if (end <= own) return store.read(begin, end);
      const last = tail.subarray(Math.max(0, begin - own), end - own);
      return begin < own ? concatenated([await store.read(begin, own), last]) : last;
    },
  };
}

const u64 = (view: DataView, at: Bytes): number => Number(view.getBigUint64(at, true));

/** What there is of `size` bytes at `at`. */
async function viewOf(store: Store, at: Bytes, size: Bytes): Promise<DataView> {
  if (at < 0) return new DataView(new ArrayBuffer(0));
  const { buffer, byteOffset, byteLength } = await store.read(at, Math.min(at + size, store.size));
  return new DataView(buffer, byteOffset, byteLength);
}
