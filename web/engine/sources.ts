/**
 * What the user opens, turned into files for the core: archives are taken apart, compressed files unpacked. They are known by
 * their first bytes, not by their names. Which of the files the core can use is the core's matter.
 */
import { type FileEntry, type Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import type { Bytes } from './engine';
import { gather, gunzip, type Piece, peek, piecesOf, piecesOfStream, type Store, streamOf } from './pieces';

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

/** The files that `source` holds: itself, or what is in it. Throws when an archive cannot be read. */
export async function* filesIn(source: Source, depth = 0): AsyncGenerator<SourceFile> {
  if (isLitter(source.path)) return;
  const { head, pieces } =
    'store' in source
      ? { head: await source.store.read(0, Math.min(4, source.store.size)), pieces: piecesOf(source.store) }
      : await peek(source.pieces);
  if (isGzip(head)) {
    const path = source.path.replace(/\.gz$/i, '');
    if (depth < deepest) yield* filesIn({ path, pieces: gunzip(pieces) }, depth + 1);
  } else if (isZip(head) && depth < deepest) {
    yield* filesInZip(source.path, 'store' in source ? source.store : await gather(pieces), depth);
  } else {
    yield { path: source.path, size: 'store' in source ? source.store.size : 0, pieces };
  }
}

async function* filesInZip(path: string, store: Store, depth: number): AsyncGenerator<SourceFile> {
  const zip = new ZipReader(zipStore(store), { useWebWorkers: false });
  const entries = (await zip.getEntries()).filter((entry) => !entry.directory && !isLitter(entry.filename));
  const folder = folderOfZip(
    path,
    entries.map((entry) => entry.filename),
  );
  for (const entry of entries) {
    yield* filesIn({ path: folder + entry.filename, pieces: unzip(entry as FileEntry) }, depth + 1);
  }
}

/** A zip counts as a folder of its own name, unless all it holds is one folder. */
export function folderOfZip(path: string, names: string[]): string {
  const tops = new Set(names.map((name) => (name.includes('/') ? name.split('/', 1)[0] : '')));
  const around = path.slice(0, path.lastIndexOf('/') + 1);
  if (tops.size === 1 && !tops.has('')) return around;
  return `${path.replace(/\.zip$/i, '')}/`;
}

function unzip(entry: FileEntry): AsyncGenerator<Piece> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // A failure reaches the reader of the stream; it must not be reported twice.
  entry.getData(writable, { checkSignature: true }).catch(() => undefined);
  return piecesOfStream(readable);
}

/** A Store in the shape that zip.js reads from. */
function zipStore(store: Store): Reader<Store> {
  const reader = {
    size: store.size,
    init: async () => undefined,
    readUint8Array: (at: Bytes, length: Bytes) => store.read(at, Math.min(at + length, store.size)),
    createReadable: ({ offset = 0, size = store.size }: { offset?: Bytes; size?: Bytes } = {}) =>
      streamOf(piecesOf(store, offset, Math.min(offset + size, store.size))),
  };
  return reader as unknown as Reader<Store>;
}
