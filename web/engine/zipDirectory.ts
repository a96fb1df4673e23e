/**
 * What is in a zip, and where: by the directory at its end, or, where that was lost because a
 * download stopped, by what each entry says of itself before its bytes. Fields as in PKWARE's
 * APPNOTE.TXT, all little-endian.
 */
import type { Bytes } from './engine';
import type { Store } from './pieces';

const signatures = { entry: 0x04034b50, descriptor: 0x08074b50, directory: 0x02014b50 };
const endSignature = 0x06054b50;
const longLocatorSignature = 0x07064b50;
const longEndSignature = 0x06064b50;
const headerSize: Bytes = 30;
const directoryHeaderSize: Bytes = 46;
const endSize: Bytes = 22;
/** A comment may stand behind the end. */
const mostComment: Bytes = 0xffff;
const zip64Field = 0x0001;
/** Says that the value stands in a field of 64 bits. */
const elsewhere = 0xffffffff;
/** From this version on an entry may have sizes of 64 bits. */
const zip64Version = 45;
/** Deflate makes nothing smaller than by this. */
const mostDeflated = 1032;

export interface Entry {
  /** of its header */
  at: Bytes;
  name: string;
  flags: number;
  /** 0 = stored, 8 = deflated */
  method: number;
  crc: number;
  packed: Bytes;
  unpacked: Bytes;
  /** what its host's file system says of it */
  attributes: number;
  /** its end is missing */
  isCut: boolean;
}

/** The entries of the directory. Throws where that cannot be found, or read on. */
export async function* listedEntries(store: Store): AsyncGenerator<Entry> {
  const { begin, size, count, shift } = await directoryOf(store);
  const view = await viewOf(store, begin, size);
  for (let at = 0, read = 0; read < count; read += 1) {
    if (at + directoryHeaderSize > view.byteLength || u32(view, at) !== signatures.directory)
      throw new Error('its directory is damaged');
    const nameSize = u16(view, at + 28);
    const extraSize = u16(view, at + 30);
    const end = at + directoryHeaderSize + nameSize + extraSize + u16(view, at + 32);
    if (end > view.byteLength) throw new Error('its directory is damaged');
    const [unpacked = 0, packed = 0, place = 0] = withLong(
      [u32(view, at + 24), u32(view, at + 20), u32(view, at + 42)],
      partOf(view, at + directoryHeaderSize + nameSize, extraSize),
    );
    yield {
      at: place + shift,
      name: nameOf(partOf(view, at + directoryHeaderSize, nameSize)),
      flags: u16(view, at + 8),
      method: u16(view, at + 10),
      crc: u32(view, at + 16),
      packed,
      unpacked,
      attributes: u32(view, at + 38),
      isCut: false,
    };
    at = end;
  }
}

/** Where the directory is, and by how much all places are off: what precedes a zip is no part of it. */
async function directoryOf(
  store: Store,
): Promise<{ begin: Bytes; size: Bytes; count: number; shift: Bytes }> {
  const from = Math.max(0, store.size - endSize - mostComment);
  const tail = await viewOf(store, from, store.size - from);
  let at = tail.byteLength - endSize;
  while (at >= 0 && u32(tail, at) !== endSignature) at -= 1;
  if (at < 0) throw new Error('it has no directory at its end');
  let [count, size, begin] = [u16(tail, at + 10), u32(tail, at + 12), u32(tail, at + 16)];
  let end = from + at;
  const locator = await viewOf(store, end - 20, 20);
  if (locator.byteLength === 20 && u32(locator, 0) === longLocatorSignature) {
    const long = await viewOf(store, u64(locator, 8), 56);
    if (long.byteLength === 56 && u32(long, 0) === longEndSignature) {
      [count, size, begin] = [u64(long, 32), u64(long, 40), u64(long, 48)];
      end = u64(locator, 8);
    }
  }
  const shift = end - size - begin;
  if (size > end || shift < 0) throw new Error('its directory is damaged');
  return { begin: begin + shift, size, count, shift };
}

/** Those of these numbers that have no room in 32 bits stand in an extra field, in this order. */
function withLong(numbers: readonly number[], extra: DataView): number[] {
  const field = longField(extra);
  let at = 0;
  return numbers.map((number) => {
    if (number !== elsewhere || !field || at + 8 > field.byteLength) return number;
    at += 8;
    return u64(field, at - 8);
  });
}

function longField(extra: DataView): DataView | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + u16(extra, at + 2)) {
    const size = u16(extra, at + 2);
    if (u16(extra, at) === zip64Field && at + 4 + size <= extra.byteLength)
      return partOf(extra, at + 4, size);
  }
  return undefined;
}

/** Where its bytes begin; undefined when at its place stands something else. */
export async function contentBegin(store: Store, { at }: Entry): Promise<Bytes | undefined> {
  const header = await viewOf(store, at, headerSize);
  if (header.byteLength < headerSize || u32(header, 0) !== signatures.entry) return undefined;
  return at + headerSize + u16(header, 26) + u16(header, 28);
}

/** The entries that are found by their headers, no more than `most` of them. */
export async function foundEntries(store: Store, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let at = 0; entries.length < most; ) {
    const next = await find(store, at, [signatures.entry]);
    if (!next) break;
    const entry = await entryAt(store, next.at);
    if (entry) entries.push(entry);
    at = entry ? ((await contentBegin(store, entry)) ?? at) + entry.packed : next.at + 4;
  }
  return entries;
}

/** The entry whose header stands at `at`; undefined when what stands there is none. */
async function entryAt(store: Store, at: Bytes): Promise<Entry | undefined> {
  const header = await viewOf(store, at, headerSize);
  if (header.byteLength < headerSize) return undefined;
  const [version, flags, method, nameSize] = [4, 6, 8, 26].map((field) => u16(header, field)) as [
    number,
    number,
    number,
    number,
  ];
  const begin = at + headerSize + nameSize + u16(header, 28);
  // the same four bytes may stand anywhere in what is packed
  if ((version & 0xff) > 63 || method > 99 || nameSize === 0 || begin > store.size)
    return undefined;
  const name = await viewOf(store, at + headerSize, nameSize);
  const extra = await viewOf(store, at + headerSize + nameSize, u16(header, 28));
  const [unpacked = 0, packed = 0] = withLong([u32(header, 22), u32(header, 18)], extra);
  const sizes = { crc: u32(header, 14), packed, unpacked };
  const known = { at, flags, method, name: nameOf(name), attributes: 0 };
  // whoever writes without looking back says the sizes only afterwards
  const later = (flags & 8) !== 0 && sizes.packed === 0;
  const said = later
    ? await descriptorOf(store, begin, version >= zip64Version || longField(extra) !== undefined)
    : sizes;
  if (said && begin + said.packed <= store.size) return { ...known, ...said, isCut: false };
  const left = store.size - begin;
  return {
    ...known,
    crc: said?.crc ?? 0,
    packed: left,
    unpacked: said?.unpacked ?? left * mostDeflated,
    isCut: true,
  };
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

/** What writers of before Unicode meant by bytes above 127 (code page 437). */
const oldLetters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Many write UTF-8 without saying so: what can be read as that is meant as that. */
function nameOf({ buffer, byteOffset, byteLength }: DataView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte < 128 ? String.fromCharCode(byte) : oldLetters[byte - 128],
    ).join('');
  }
}

const u16 = (view: DataView, at: Bytes): number => view.getUint16(at, true);
const u32 = (view: DataView, at: Bytes): number => view.getUint32(at, true);
const u64 = (view: DataView, at: Bytes): number => Number(view.getBigUint64(at, true));

const partOf = ({ buffer, byteOffset }: DataView, at: Bytes, size: Bytes): DataView =>
  new DataView(buffer, byteOffset + at, size);

/** What there is of `size` bytes at `at`. */
async function viewOf(store: Store, at: Bytes, size: Bytes): Promise<DataView> {
  if (!(at >= 0) || at > store.size) return new DataView(new ArrayBuffer(0));
  const { buffer, byteOffset, byteLength } = await store.read(at, Math.min(at + size, store.size));
  return new DataView(buffer, byteOffset, byteLength);
}
