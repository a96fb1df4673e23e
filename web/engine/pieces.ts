/**
 * Streams of bytes: how files, archives and downloads reach the core, piece by piece. A piece is
 * valid until the next one is asked for; whoever wants it longer copies it.
 */
import type { Bytes } from './engine';

export type Piece = Uint8Array<ArrayBuffer>;

/** Bytes that lie somewhere and can be read in any order. */
export interface Store {
  size: Bytes;
  read(begin: Bytes, end: Bytes): Promise<Piece>;
  /**
   * A stretch in order, where that is faster than reading it bit by bit. May fail anywhere where
   * `read` does not.
   */
  pieces?(begin: Bytes, end: Bytes): AsyncGenerator<Piece>;
}

/** What is read from a store at once: fewer calls bring nothing more. */
export const pieceSize: Bytes = 4 * 1024 * 1024;

/** A piece in parts no larger than the core's input buffer (wasm/bindings.cpp). */
export function* inParts(piece: Piece): Generator<Piece> {
  const inputSize: Bytes = 512 * 1024;
  for (let at = 0; at < piece.length; at += inputSize) yield piece.subarray(at, at + inputSize);
}

/**
 * Each look at a file goes through the browser's own process: small ones, of which there may be
 * thousands, are had many at once.
 */
const smallSize: Bytes = 128 * 1024;
const manySize: Bytes = 1024 * 1024;

/** Small files that are read one after the other. */
class SmallFiles {
  readonly #files: Blob[] = [];
  #unread = 0;
  #bytes: Promise<Piece | undefined> | undefined;
  size: Bytes = 0;
  next: SmallFiles | undefined;

  store(file: Blob): Store {
    const at = this.size;
    this.#files.push(file);
    this.#unread += 1;
    this.size += file.size;
    return {
      size: file.size,
      read: async (begin, end) => {
        const all = await this.ahead();
        void this.next?.ahead();
        if (end >= file.size) this.#forget();
        return all
          ? all.subarray(at + begin, at + end)
          : new Uint8Array(await file.slice(begin, end).arrayBuffer());
      },
    };
  }

  /** Nothing where one of them cannot be read, or after all were. */
  ahead(): Promise<Piece | undefined> {
    this.#bytes ??= new Blob(this.#files).arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => undefined,
    );
    return this.#bytes;
  }

  #forget(): void {
    this.#unread -= 1;
    if (this.#unread === 0) this.#bytes = Promise.resolve(undefined);
  }
}

/** Files that will be read in this order, each as it can be read. */
export function withStores<T extends { data: Blob }>(
  files: readonly T[],
): (Omit<T, 'data'> & { store: Store })[] {
  let small: SmallFiles | undefined;
  return files.map(({ data, ...file }) => {
    if (data.size > smallSize) return { ...file, store: storeOfLarge(data) };
    if (!small || small.size + data.size > manySize) {
      const next = new SmallFiles();
      if (small) small.next = next;
      small = next;
    }
    return { ...file, store: small.store(data) };
  });
}

export const storeOf = (file: Blob): Store =>
  file.size > smallSize ? storeOfLarge(file) : new SmallFiles().store(file);

const storeOfLarge = (file: Blob): Store => ({
  size: file.size,
  read: async (begin, end) => new Uint8Array(await file.slice(begin, end).arrayBuffer()),
  // What is no larger than a piece is one.
  ...(file.size > pieceSize && {
    pieces: (begin: Bytes, end: Bytes) => piecesOfBlob(file.slice(begin, end)),
  }),
});

/** Bytes that are at hand. */
export const storeOfBytes = (bytes: Piece): Store => ({
  size: bytes.length,
  read: async (begin, end) => bytes.subarray(begin, end),
});

/**
 * The bytes of a file as a stream that fills two buffers in turn: one is read into while the other
 * is used. Of all ways to have a file's bytes in a worker this is the fastest in Chromium (npm run
 * bench -- reading), and leaves the least behind.
 */
async function* piecesOfBlob(blob: Blob): AsyncGenerator<Piece> {
  const reader = (blob.stream() as ReadableStream<Piece>).getReader({ mode: 'byob' });
  const readInto = (buffer: ArrayBuffer) => {
    const piece = reader.read(new Uint8Array(buffer));
    // Whoever leaves early does not see this piece fail.
    piece.catch(() => undefined);
    return piece;
  };
  try {
    let next = readInto(new ArrayBuffer(pieceSize));
    let spare = new ArrayBuffer(pieceSize);
    for (;;) {
      const { done, value } = await inTime(next);
      if (done) return;
      next = readInto(spare);
      yield value;
      spare = value.buffer;
    }
  } finally {
    // not awaited: who has been forgotten is not told of the end either
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Chromium 156 forgets about one in a hundred readers of large files that fill buffers (none that
 * do not, in a thousand): what is asked for never comes. What has not come by now has to be had
 * another way.
 */
const lateMilliseconds = 1000;

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the file’s stream has stopped')), lateMilliseconds);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A stretch of `store` in order. */
export async function* piecesOf(store: Store, begin = 0, end = store.size): AsyncGenerator<Piece> {
  let at = begin;
  if (store.pieces) {
    try {
      for await (const piece of store.pieces(begin, end)) {
        at += piece.length;
        yield piece;
      }
      return;
    } catch {
      // Not every engine fills buffers, Chromium's sometimes stops, and WebKit lets no worker read
      // what the page may: the rest by reading.
    }
  }
  yield* readPieces(store, at, end);
}

/** The same by `read`. The next piece is read while the last one is used. */
async function* readPieces(store: Store, begin: Bytes, end: Bytes): AsyncGenerator<Piece> {
  const readAt = (at: Bytes) => {
    const piece = store.read(at, Math.min(at + pieceSize, end));
    // Whoever leaves early does not see this piece fail.
    piece.catch(() => undefined);
    return piece;
  };
  let next = begin < end ? readAt(begin) : undefined;
  for (let at = begin + pieceSize; next; at += pieceSize) {
    const piece: Piece = await next;
    next = at < end ? readAt(at) : undefined;
    yield piece;
  }
}

/** Not every engine lets a stream be iterated. */
export async function* piecesOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value as Piece;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export function streamOf(pieces: AsyncIterable<Piece>): ReadableStream<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Piece>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value.slice());
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Something packed is damaged: `message` is what, a sentence that follows its name. */
export class DamagedArchive extends Error {
  override name = 'DamagedArchive';
}

/** Of what is whole and at hand. */
export const gunzipped = (packed: Piece): ReadableStream<Uint8Array> =>
  new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));

/** What was unpacked before a fault is handed on before it is thrown. */
export async function* gunzip(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* piecesOfStream(streamOf(pieces).pipeThrough(new DecompressionStream('gzip')));
  } catch (problem) {
    // engines say no more than that, and each in its own words
    if (!(problem instanceof TypeError)) throw problem;
    throw new DamagedArchive(
      'the compressed data is cut off or damaged: it was unpacked up to that point',
    );
  }
}

/**
 * The first bytes of `pieces`, `size` of them or all there are, and the same pieces from their
 * beginning.
 */
export async function peek(
  pieces: AsyncIterable<Piece>,
  size: Bytes,
): Promise<{ head: Piece; pieces: AsyncIterable<Piece> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  const seen: Piece[] = [];
  let length = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    // it is valid until the next one is asked for
    const isLast = length + next.value.length >= size;
    seen.push(isLast ? next.value : next.value.slice());
    length += next.value.length;
    if (isLast) break;
  }
  async function* all(): AsyncGenerator<Piece> {
    try {
      yield* seen;
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: seen.length === 1 && seen[0] ? seen[0] : concatenated(seen), pieces: all() };
}

export function concatenated(parts: readonly Uint8Array[]): Piece {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Everything in one Blob, for what can only be read in any order. */
export async function gather(pieces: AsyncIterable<Piece>): Promise<Store> {
  const parts: Blob[] = [];
  for await (const piece of pieces) parts.push(new Blob([piece]));
  return storeOf(new Blob(parts));
}
