/**
 * What of folders and archives is looked at, and what unpacking may cost: the core's rules
 * (core/session/source_policy.hpp).
 */
import type { Crema } from 'crema-core/crema.js';
import type { Bytes } from './engine';
import type { Piece } from './pieces';

interface Limits {
  /** archives in archives are unpacked so many deep */
  maxArchiveDepth: number;
  mostEntries: number;
  // the sentences for what exceeds them
  tooMuchUnpacked: string;
  tooManyEntries: string;
  encryptedEntry: string;
}

export interface SourcePolicy extends Limits {
  /** `path` begins below what was opened */
  counts(path: string): boolean;
  /** The path of an archive's entry; '' when it is none. */
  entryPath(name: string): string;
  /** Where the files of the archive at `path` stand, whose entries that count are `entries`. */
  placeOf(path: string, entries: readonly string[]): { source: string; folder: string };
  mayUnpack(unpacked: Bytes, packed: Bytes): boolean;
}

export function policyOf({ SourcePolicy: core }: Pick<Crema, 'SourcePolicy'>): SourcePolicy {
  return {
    ...(JSON.parse(core.limits()) as Limits),
    counts: (path) => core.countsAsFile(path),
    entryPath: (name) => core.entryPath(name),
    placeOf: (path, entries) => JSON.parse(core.placeOfArchive(path, entries.join('\n'))),
    mayUnpack: (unpacked, packed) => core.mayUnpack(unpacked, packed),
  };
}

/** An archive that is not opened, though it may be whole: `message` is the reason. */
export class UnwantedArchive extends Error {
  override name = 'UnwantedArchive';
}

// Unpacking is ahead of what it was given by no more than this.
const step: Bytes = 2 ** 16;

/** Weighs what comes out of one archive, with all that are in it, against what went in. */
export class Unpacking {
  readonly #policy: SourcePolicy;
  #taken: Bytes = 0;
  #unpacked: Bytes = 0;

  constructor(policy: SourcePolicy) {
    this.#policy = policy;
  }

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
    if (!this.#policy.mayUnpack(this.#unpacked, this.#taken))
      throw new UnwantedArchive(this.#policy.tooMuchUnpacked);
  }

  checkEntries(entries: number): void {
    if (entries > this.#policy.mostEntries) throw new UnwantedArchive(this.#policy.tooManyEntries);
  }
}
