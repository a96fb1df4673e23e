/** What unpacking may cost: an archive can hold a thousand times its own size, and others of its kind. */
import type { Bytes } from './engine';
import type { Piece } from './pieces';

// Recorded runs unpack to 10 to 40 times their size.
const mostTimes = 250;
const alwaysAllowed: Bytes = 32 * 2 ** 20;
const mostEntries = 10_000;
// Unpacking is ahead of what it was given by no more than this.
const step: Bytes = 2 ** 16;

/** An archive that is not opened, though it may be whole: `message` is the reason. */
export class UnwantedArchive extends Error {
  override name = 'UnwantedArchive';
}

/** Weighs what comes out of one archive, with all that are in it, against what went in. */
export class Unpacking {
  #taken: Bytes = 0;
  #unpacked: Bytes = 0;

  /** Counts what goes in. */
  async *taken(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += step) {
        const part = piece.subarray(at, at + step);
        this.#taken += part.length;
        yield part;
      }
    }
  }

  /** Counts what comes out; throws when it is too much. */
  async *unpacked(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      this.#unpacked += piece.length;
      this.check();
      yield piece;
    }
  }

  check(): void {
    if (this.#unpacked > alwaysAllowed && this.#unpacked > mostTimes * this.#taken) {
      throw new UnwantedArchive(
        `what is packed here is more than ${mostTimes} times as large as the archive, as in no run; the rest is not unpacked`,
      );
    }
  }

  checkEntries(entries: number): void {
    if (entries > mostEntries)
      throw new UnwantedArchive(
        `the archive holds ${entries.toLocaleString('en')} files, more than ${mostEntries.toLocaleString('en')}: unpack it and open the run that is meant`,
      );
  }
}
