/**
 * What the user opens, turned into files for the core: archives are taken apart, compressed files unpacked. They are known by
 * their first bytes, not by their names. Which of the files the core can use is the core's matter.
 */
import { type Entry, type FileEntry, type Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import type { Bytes } from './engine';
import { gather, gunzip, type Piece, peek, piecesOf, piecesOfStream, type Store, streamOf } from './pieces';
import { Unpacking, UnwantedArchive } from './unpacking';

/** Something to open: it can be read in any order (`store`) or only once from its beginning (`pieces`). */
export type Source = { path: string } & ({ store: Store } | { pieces: AsyncIterable<Piece> });

/** A file for the core. */
export interface SourceFile {
  path: string;
  /** unpacked; 0 when unknown */
  size: Bytes;
  pieces: AsyncIterable<Piece>;
}

// An archive in an archive in an archive is nobody's bundle.
const deepest = 3;

const startsWith = (head: Piece, ...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
const isZip = (head: Piece) => startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0x50, 0x4b, 0x05, 0x06);
const isGzip = (head: Piece) => startsWith(head, 0x1f, 0x8b);

/** What operating systems leave in folders. */
const isLitter = (path: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/.test(path);

/** Told of what in an archive cannot be had, and why; the rest of the archive is read on. */
export type Missed = (path: string, problem: unknown) => void;

/** The files that `source` holds: itself, or what is in it. Throws when an archive cannot be read, or is a bomb. */
export function filesIn(source: Source, missed: Missed = () => undefined): AsyncGenerator<SourceFile> {
  return filesAt(source, 0, { unpacking: new Unpacking(), missed });
}

interface Opening {
  unpacking: Unpacking;
  missed: Missed;
}

async function* filesAt(source: Source, depth: number, opening: Opening): AsyncGenerator<SourceFile> {
  if (isLitter(source.path)) return;
  const { head, pieces } =
    'store' in source
      ? { head: await source.store.read(0, Math.min(4, source.store.size)), pieces: piecesOf(source.store) }
      : await peek(source.pieces);
  if (isGzip(head) && depth < deepest) {
    const path = source.path.replace(/\.gz$/i, '');
    const packed = depth === 0 ? opening.unpacking.taken(pieces) : pieces;
    yield* filesAt({ path, pieces: opening.unpacking.unpacked(gunzip(packed)) }, depth + 1, opening);
  } else if (isZip(head) && depth < deepest) {
    yield* filesInZip(source.path, 'store' in source ? source.store : await gather(pieces), depth, opening);
  } else {
    yield { path: source.path, size: 'store' in source ? source.store.size : 0, pieces };
  }
}

async function* filesInZip(path: string, store: Store, depth: number, opening: Opening): AsyncGenerator<SourceFile> {
  const { unpacking, missed } = opening;
  const counted = (pieces: AsyncIterable<Piece>) => (depth === 0 ? unpacking.taken(pieces) : pieces);
  const zip = new ZipReader(zipStore(store, counted), { useWebWorkers: false });
  const entries: Entry[] = [];
  for await (const entry of zip.getEntriesGenerator()) {
    if (!entry.directory && !isLitter(entry.filename)) entries.push(entry);
    unpacking.checkEntries(entries.length);
  }
  const folder = folderOfZip(
    path,
    entries.map((entry) => entry.filename),
  );
  for (const entry of entries) {
    unpacking.check();
    const inside = { path: folder + entry.filename, pieces: unpacking.unpacked(unzip(entry as FileEntry)) };
    try {
      yield* filesAt(inside, depth + 1, opening);
    } catch (problem) {
      missed(inside.path, problem);
    }
  }
}

/** A zip counts as a folder of its own name, unless all it holds is one folder. */
export function folderOfZip(path: string, names: string[]): string {
  const tops = new Set(names.map((name) => (name.includes('/') ? name.split('/', 1)[0] : '')));
  const around = path.slice(0, path.lastIndexOf('/') + 1);
  if (tops.size === 1 && !tops.has('')) return around;
  return `${path.replace(/\.zip$/i, '')}/`;
}

async function* unzip(entry: FileEntry): AsyncGenerator<Piece> {
  if (entry.encrypted)
    throw new UnwantedArchive('it is encrypted: unpack it with its password and open what comes out');
  let fail: (problem: unknown) => void = () => undefined;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      fail = (problem) => controller.error(problem);
    },
  });
  // The reader of the stream shall hear of it, and nobody else.
  entry.getData(writable, { checkSignature: true }).catch((problem: unknown) => fail(problem));
  yield* piecesOfStream(readable);
}

/** A Store in the shape that zip.js reads from; all that it reads of entries goes through `counted`. */
function zipStore(store: Store, counted: (pieces: AsyncIterable<Piece>) => AsyncIterable<Piece>): Reader<Store> {
  const reader = {
    size: store.size,
    init: async () => undefined,
    readUint8Array: (at: Bytes, length: Bytes) => store.read(at, Math.min(at + length, store.size)),
    createReadable: ({ offset = 0, size = store.size }: { offset?: Bytes; size?: Bytes } = {}) =>
      streamOf(counted(piecesOf(store, offset, Math.min(offset + size, store.size)))),
  };
  return reader as unknown as Reader<Store>;
}
