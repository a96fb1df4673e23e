/**
 * What is in a zip: by its directory, and where that is damaged by what the entries say of
 * themselves.
 */
import {
  type Entry,
  type EntryGetDataOptions,
  ERR_INVALID_CRC32,
  ERR_LOCAL_FILE_HEADER_NOT_FOUND,
  type FileEntry,
  type Reader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-reader.js';
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
import { withNewDirectory } from './zipDirectory';

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
  const usual = await listed(store, policy, counted);
  if (!usual.problem) return { entries: usual.entries };
  if (usual.problem instanceof UnwantedArchive) throw usual.problem;
  const rebuilt = await withNewDirectory(store, policy.mostEntries + 1);
  const found = await listed(rebuilt.store, policy, counted, rebuilt.cutAt);
  if (found.entries.length === 0) throw usual.problem;
  if (found.problem instanceof UnwantedArchive) throw found.problem;
  const files = found.entries.length === 1 ? 'one file was' : `${found.entries.length} files were`;
  const sentence = `the archive is cut off, or its directory is damaged: ${files} found in it, others may be missing`;
  return { entries: found.entries, problem: new DamagedArchive(sentence) };
}

/**
 * The entries as far as the directory can be read, and why not further; the one at `cutAt` is known
 * to have no end.
 */
async function listed(
  store: Store,
  policy: SourcePolicy,
  counted: Counted,
  cutAt?: Bytes,
): Promise<{ entries: ZipEntry[]; problem?: unknown }> {
  // nothing is written to a disk: any name will do
  const zip = new ZipReader(readerOf(store, counted), {
    useWebWorkers: false,
    strictness: 'tolerant',
  });
  const entries: ZipEntry[] = [];
  try {
    let count = 0;
    for await (const entry of zip.getEntriesGenerator()) {
      count += 1;
      if (count > policy.mostEntries) throw new UnwantedArchive(policy.tooManyEntries);
      const path = policy.entryPath(entry.filename);
      // a link's content is where it leads
      if (entry.directory || isLink(entry) || path === '' || !policy.counts(path)) continue;
      entries.push({
        path,
        size: entry.uncompressedSize,
        pieces: unpacked(entry, policy, entry.offset === cutAt),
      });
    }
    return { entries };
  } catch (problem) {
    return { entries, problem };
  }
}

const isLink = (entry: Entry): boolean =>
  ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000;

const sentences: Record<string, string> = {
  [ERR_INVALID_CRC32]:
    'its bytes are not those that were packed (the checksum differs): what was read of it may be wrong',
  [ERR_LOCAL_FILE_HEADER_NOT_FOUND]:
    'it cannot be read: its place in the archive holds something else',
};

/**
 * The bytes of an entry. What was unpacked before a fault is handed on before the fault is thrown.
 */
async function* unpacked(
  entry: FileEntry,
  policy: SourcePolicy,
  isCut: boolean,
): AsyncGenerator<Piece> {
  if (entry.encrypted) throw new UnwantedArchive(policy.encryptedEntry);
  let bytes = 0;
  try {
    for await (const piece of bytesOf(entry, { checkSignature: true })) {
      bytes += piece.length;
      yield piece;
    }
  } catch (problem) {
    if (!isFaulty(problem)) throw problem;
    // zip.js drops with a fault what it has just unpacked: that, too, is wanted
    yield* without(bytes, upToFault(inflatedInSteps(entry)));
    if (isCut) throw new DamagedArchive('it is cut off: its end is missing');
    const sentence =
      sentences[problem.message] ?? `it cannot be unpacked, or in part only (${problem.message})`;
    throw new DamagedArchive(sentence);
  }
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

/** The bytes of an entry as the engine unpacks them. */
async function* inflatedInSteps(entry: FileEntry): AsyncGenerator<Piece> {
  async function* steps() {
    for await (const piece of bytesOf(entry, { passThrough: true })) {
      for (let at = 0; at < piece.length; at += step) yield piece.subarray(at, at + step);
    }
  }
  if (entry.compressionMethod === 0) yield* steps();
  else yield* piecesOfStream(streamOf(steps()).pipeThrough(new DecompressionStream('deflate-raw')));
}

async function* bytesOf(entry: FileEntry, options: EntryGetDataOptions): AsyncGenerator<Piece> {
  let isWanted = true;
  let proceed: () => void = () => undefined;
  let out!: ReadableStreamDefaultController<Uint8Array>;
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        out = controller;
      },
      pull: () => proceed(),
      cancel: () => {
        isWanted = false;
        proceed();
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<Uint8Array>({
    write: async (piece) => {
      out.enqueue(piece);
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
      if (!isWanted) throw new DOMException('nobody reads on', 'AbortError');
    },
  });
  let problem: unknown;
  const done = entry
    .getData(writable, options)
    .catch((why: unknown) => {
      problem = why;
    })
    .finally(() => isWanted && out.close());
  yield* piecesOfStream(readable);
  await done;
  if (problem !== undefined) throw problem;
}

/** A Store in the shape that zip.js reads from. */
function readerOf(store: Store, counted: Counted): Reader<Store> {
  const reader = {
    size: store.size,
    init: async () => undefined,
    readUint8Array: (at: Bytes, length: Bytes) => store.read(at, Math.min(at + length, store.size)),
    createReadable: ({ offset = 0, size = store.size }: { offset?: Bytes; size?: Bytes } = {}) =>
      streamOf(counted(piecesOf(store, offset, Math.min(offset + size, store.size)))),
  };
  return reader as unknown as Reader<Store>;
}
