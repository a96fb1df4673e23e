import type { Bytes, FileProgress, OpenOptions } from './engine';
import type { Piece } from './pieces';
import type { Given } from './sources';

/** Something to open, and how large it is on disk (0 when unknown). */
export interface Opening {
  given: Given;
  size: Bytes;
}

// Whoever cancels, and whoever else waits for this thread, gets a turn this often.
const turnMilliseconds = 25;
// Faster than this nobody reads.
const reportMilliseconds = 100;

/**
 * Counts the bytes as they lie on disk, reports them, and notices when the opening is cancelled.
 */
export class Meter {
  readonly #options: OpenOptions;
  readonly #total: Bytes;
  #loaded: Bytes = 0;
  #lastTurn = performance.now();
  #lastReport = Number.NEGATIVE_INFINITY;
  #file = '';
  #progress: FileProgress = { format: '', where: '', stored: {} };

  constructor(openings: Opening[], options: OpenOptions) {
    this.#options = options;
    this.#total = openings.reduce((sum, { size }) => sum + size, 0);
  }

  counted(given: Given): Given {
    const count = (bytes: Bytes) => {
      this.#loaded += bytes;
    };
    async function* counting(all: AsyncIterable<Piece> | Piece[]): AsyncGenerator<Piece> {
      for await (const piece of all) {
        count(piece.length);
        yield piece;
      }
    }
    if ('pieces' in given) return { ...given, pieces: counting(given.pieces) };
    const { store } = given;
    const read = async (begin: Bytes, end: Bytes) => {
      const piece = await store.read(begin, end);
      count(piece.length);
      return piece;
    };
    const pieces =
      store.pieces && ((begin: Bytes, end: Bytes) => counting(store.pieces?.(begin, end) ?? []));
    return { ...given, store: { size: store.size, read, ...(pieces && { pieces }) } };
  }

  /**
   * Reports how far it is and lets others have a turn; throws an AbortError when the opening was
   * cancelled.
   */
  async show(file: string, progress: () => FileProgress): Promise<void> {
    this.#file = file;
    const now = performance.now();
    if (now - this.#lastReport > reportMilliseconds) {
      this.#lastReport = now;
      this.#progress = progress();
      this.#report(Math.min(this.#loaded, this.#total));
    }
    if (now - this.#lastTurn > turnMilliseconds) {
      await turn();
      this.#lastTurn = performance.now();
    }
    this.#options.signal?.throwIfAborted();
  }

  finish(): void {
    this.#options.signal?.throwIfAborted();
    this.#report(this.#total);
  }

  #report(loaded: Bytes): void {
    this.#options.onProgress?.({ loaded, total: this.#total, file: this.#file, ...this.#progress });
  }
}

/** Until what else waits for this thread has been done; unlike a timer it does not wait on top. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
