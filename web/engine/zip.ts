/**
 * What is in a zip: by its directory, and where that is damaged by what the entries say of
 * themselves.
 */
import type { Bytes } from './engine';
import {
  DamagedArchive,
  type Piece,
  piecesOf,
  piecesOfStream,
  type Store,
  streamOf,
} from './pieces';
import { type SourcePolicy, UnwantedArchive } from './sourcePolicy';
import { contentBegin, type Entry, foundEntries, listedEntries } from './zipDirectory';

export interface ZipEntry {
  /** within the archive */
  path: string;
  /** unpacked, as the archive says it */
  size: Bytes;
  pieces: AsyncIterable<Piece>;
}

type Counted = (pieces: AsyncIterable<Piece>) => AsyncIterable<Piece>;

/**
 * The files in a zip that count, and why there may have been more; all that is read of them goes
 * through `counted`. Throws when nothing can be found in it, or when it should not be opened.
 */
export async function entriesOf(
  store: Store,
  policy: SourcePolicy,
  counted: Counted,
): Promise<{ entries: ZipEntry[]; problem?: DamagedArchive }> {
  const usual = await chosen(store, listedEntries(store), policy, counted);
  if (!usual.problem) return { entries: usual.entries };
  if (usual.problem instanceof UnwantedArchive) throw usual.problem;
  const all = await foundEntries(store, policy.mostEntries + 1);
  const found = await chosen(store, all, policy, counted);
  if (found.entries.length === 0) throw usual.problem;
  if (found.problem instanceof UnwantedArchive) throw found.problem;
  const files = found.entries.length === 1 ? 'one file was' : `${found.entries.length} files were`;
  const sentence = `the archive is cut off, or its directory is damaged: ${files} found in it, others may be missing`;
  return { entries: found.entries, problem: new DamagedArchive(sentence) };
}

/** Those entries that count, as far as they can be listed, and why not further. */
async function chosen(
  store: Store,
  all: AsyncIterable<Entry> | Iterable<Entry>,
  policy: SourcePolicy,
  counted: Counted,
): Promise<{ entries: ZipEntry[]; problem?: unknown }> {
  const entries: ZipEntry[] = [];
  try {
    let count = 0;
    for await (const entry of all) {
      count += 1;
      if (count > policy.mostEntries) throw new UnwantedArchive(policy.tooManyEntries);
      const path = policy.entryPath(entry.name);
      // a link's content is where it leads
      if (isFolder(entry) || isLink(entry) || path === '' || !policy.counts(path)) continue;
      entries.push({ path, size: entry.unpacked, pieces: unpacked(store, entry, policy, counted) });
    }
    return { entries };
  } catch (problem) {
    return { entries, problem };
  }
}

const isFolder = ({ name, attributes, unpacked }: Entry): boolean =>
  name.endsWith('/') || ((attributes & 0x10) !== 0 && unpacked === 0);

const isLink = ({ attributes }: Entry): boolean => ((attributes >>> 16) & 0o170000) === 0o120000;

/**
 * The bytes of an entry. What was unpacked before a fault is handed on before the fault is thrown.
 */
async function* unpacked(
  store: Store,
  entry: Entry,
  policy: SourcePolicy,
  counted: Counted,
): AsyncGenerator<Piece> {
  if ((entry.flags & 1) !== 0) throw new UnwantedArchive(policy.encryptedEntry);
  const begin = await contentBegin(store, entry);
  if (begin === undefined)
    throw new DamagedArchive('it cannot be read: the archive holds something else at its position');
  const packed = () => counted(piecesOf(store, begin, Math.min(begin + entry.packed, store.size)));
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const piece of inflated(entry, packed())) {
      bytes += piece.length;
      checksum = crc32(checksum, piece);
      yield piece;
    }
  } catch (problem) {
    if (!isFaulty(problem)) throw problem;
    // engines drop with a fault what they have just unpacked: that, too, is wanted
    yield* without(bytes, upToFault(inflated(entry, inSteps(packed()))));
    if (entry.isCut) throw new DamagedArchive('it is cut off: its end is missing');
    throw new DamagedArchive(`it cannot be unpacked, or in part only (${problem.message})`);
  }
  if (checksum !== entry.crc && !entry.isCut)
    throw new DamagedArchive('its checksum differs: what was read of it may be wrong');
}

async function* inflated({ method }: Entry, packed: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  if (method === 0) yield* packed;
  else if (method === 8)
    yield* piecesOfStream(streamOf(packed).pipeThrough(new DecompressionStream('deflate-raw')));
  else throw new Error(`packed by method ${method}; stored and deflated entries are read`);
}

/** Whether it is a matter of the archive, and not of who reads it, or of the file that it is in. */
const isFaulty = (problem: unknown): problem is Error =>
  problem instanceof Error &&
  !(problem instanceof DOMException) &&
  !(problem instanceof UnwantedArchive);

async function* upToFault(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (problem) {
    if (!isFaulty(problem)) throw problem;
  }
}

async function* without(first: Bytes, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  let skipped = 0;
  for await (const piece of pieces) {
    const skip = Math.min(piece.length, first - skipped);
    skipped += skip;
    if (skip < piece.length) yield piece.subarray(skip);
  }
}

/** Engines drop what comes of the step in which the fault is: the smaller, the less. */
const step: Bytes = 2 ** 12;

async function* inSteps(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += step) yield piece.subarray(at, at + step);
  }
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value;
});

/** The checksum of what had `before`, with `bytes` behind it. */
function crc32(before: number, bytes: Piece): number {
  let value = ~before;
  for (let at = 0; at < bytes.length; at += 1)
    value = (crcTable[(value ^ (bytes[at] as number)) & 255] as number) ^ (value >>> 8);
  return ~value >>> 0;
}
