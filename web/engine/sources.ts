/**
 * What the user opens, turned into files for the core: archives and reports are taken apart,
 * compressed files unpacked. They are known by their first bytes, not by their names. Which of the
 * files the core can use is the core's matter.
 */

import { filesInReport, mayBeReport, type ReportRun } from './enclosed';
import type { Bytes } from './engine';
import { gather, gunzip, type Piece, peek, piecesOf, type Store } from './pieces';
import { type SourcePolicy, Unpacking } from './sourcePolicy';
import { entriesOf } from './zip';

/** By which the core tells apart where files come from; they count from 0 in each opening. */
export type SourceId = number;

/**
 * Something to open: it can be read in any order (`store`) or only once from its beginning
 * (`pieces`).
 */
export type Given = {
  path: string;
  /**
   * Things of one key belong together: what was dropped at once, the files of one folder on a
   * server.
   */
  key: string;
  /** what stands before its path, for people: the folders that a server has it in */
  above: string;
  /** It was named itself, and is not part of a folder: as an archive it is a source of its own. */
  isAlone: boolean;
  /** Things of its key were given one by one: they make one run wherever they lie. */
  isSingle?: boolean | undefined;
} & Content;

/** `size`, unpacked, where it is known */
type Content = { store: Store } | { pieces: AsyncIterable<Piece>; size?: Bytes };

/** A file for the core. */
export interface SourceFile {
  /** the number of what was given that it is in */
  from: number;
  /** by which it is found again when the same is given again, whatever else is given with it */
  key: string;
  source: SourceId;
  /** within its source */
  path: string;
  /** for people, as the core says it: with the folders around the archive it was found in */
  shown: string;
  /** unpacked; 0 when unknown */
  size: Bytes;
  pieces: AsyncIterable<Piece>;
}

/** Who is told what there is (crema::Session). */
export interface SourceSink {
  /** `parent` is -1 for what was found in no other source. */
  beginSource(name: string, parent: SourceId): SourceId;
  /** Of files that were given one by one. */
  beginSingleFiles(name: string): SourceId;
  /** A whole file cannot be had. */
  missFile(source: SourceId, path: string, problem: unknown): void;
  /** Nobody knows which files cannot be had: a part of the source, which is called `name`. */
  missRest(source: SourceId, name: string, problem: unknown): void;
}

const startsWith = (head: Piece, ...bytes: number[]) =>
  bytes.every((byte, at) => head[at] === byte);
/** Whether a file begins as a zip archive does. */
export const isZip = (head: Piece) =>
  startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0x50, 0x4b, 0x05, 0x06);
const isGzip = (head: Piece) => startsWith(head, 0x1f, 0x8b);

/**
 * What is given from the number `from` on belongs to the run that was read from files of these
 * paths (as people know them).
 */
export interface Beside {
  from: number;
  paths: ReadonlySet<string>;
}

/** Whether a file need not be read: the core has taken what it knows of it. */
export type IsKnown = (source: SourceId, path: string) => boolean;

/** The files in all that was `given`, one after the other. */
export async function* filesIn(
  given: Iterable<Given>,
  policy: SourcePolicy,
  sink: SourceSink,
  { beside, isKnown }: { beside?: Beside | undefined; isKnown?: IsKnown } = {},
): AsyncGenerator<SourceFile> {
  const sources = new Sources(sink);
  const begun = new Map<string, SourceId>();
  let home: { source: SourceId; folder: string } | undefined;
  let from = -1;
  for (const one of given) {
    from += 1;
    const isBeside = beside !== undefined && home !== undefined && from >= beside.from;
    // the first name is that of what was opened
    const below = one.path.slice(one.path.indexOf('/') + 1);
    if (below !== one.path && !policy.counts(below)) continue;
    const source =
      isBeside && home
        ? home.source
        : (begun.get(one.key) ?? sources.begin(one.above, -1, one.isSingle));
    if (!isBeside) begun.set(one.key, source);
    const path = isBeside && home ? home.folder + nameIn(one.path) : one.path;
    const begins = sources.count;
    if (isKnown?.(source, path.replace(/\.gz$/i, ''))) continue;
    try {
      const alone = one.isAlone ? one.above : undefined;
      for await (const file of new Walk(policy, sources).files(
        { ...one, source, path, alone },
        0,
      )) {
        // which of the sources that are in it, from 0 on
        const place = Math.max(0, file.source - begins + 1);
        yield { ...file, from, key: [one.key, one.path, place, file.path].join('\n') };
        if (beside?.paths.has(file.shown))
          home ??= { source: file.source, folder: folderOf(file.path) };
      }
    } catch (problem) {
      sink.missFile(source, path, problem);
    }
  }
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Knows what its sources are called. */
class Sources {
  readonly #known = new Map<SourceId, { name: string; parent: SourceId }>();
  readonly sink: SourceSink;

  constructor(sink: SourceSink) {
    this.sink = sink;
  }

  get count(): number {
    return this.#known.size;
  }

  begin(name: string, parent: SourceId, isSingle = false): SourceId {
    const source = isSingle
      ? this.sink.beginSingleFiles(name)
      : this.sink.beginSource(name, parent);
    this.#known.set(source, { name, parent });
    return source;
  }

  shown(source: SourceId, path: string): string {
    const known = this.#known.get(source);
    if (!known || known.parent < 0) return path;
    return this.shown(known.parent, known.name ? `${known.name}/${path}` : path);
  }
}

/** What is known of a file within what was given. */
type InnerFile = Omit<SourceFile, 'from' | 'key'>;

type Placed = {
  source: SourceId;
  path: string;
  /** of an archive that is no part of its source: what stands before its name */
  alone?: string | undefined;
} & Content;

/** Through one thing that was given, and all that are in it. */
class Walk {
  readonly #policy: SourcePolicy;
  readonly #sources: Sources;
  readonly #unpacking: Unpacking;

  constructor(policy: SourcePolicy, sources: Sources) {
    this.#policy = policy;
    this.#sources = sources;
    this.#unpacking = new Unpacking(policy);
  }

  async *files(given: Placed, depth: number): AsyncGenerator<InnerFile> {
    const { source, path, alone } = given;
    const begun =
      'store' in given
        ? {
            head: await given.store.read(0, Math.min(4, given.store.size)),
            pieces: piecesOf(given.store),
          }
        : await peek(given.pieces, 4);
    const { head } = begun;
    let { pieces } = begun;
    if (isGzip(head) && depth < this.#policy.maxArchiveDepth) {
      const packed = depth === 0 ? this.#unpacking.taken(pieces) : pieces;
      const unpacked = this.#unpacking.unpacked(gunzip(packed));
      yield* this.files(
        { source, alone, path: path.replace(/\.gz$/i, ''), pieces: unpacked },
        depth + 1,
      );
      return;
    }
    if (isZip(head) && depth < this.#policy.maxArchiveDepth) {
      yield* this.#zip(given, pieces, depth);
      return;
    }
    if (mayBeReport(head)) {
      const report = await filesInReport(pieces);
      if (report.runs) {
        yield* this.#report(path, report.runs, depth);
        return;
      }
      pieces = report.pieces;
    }
    const size = 'store' in given ? given.store.size : (given.size ?? 0);
    yield { source, path, shown: this.#sources.shown(source, path), size, pieces };
  }

  async *#zip(
    given: Placed,
    pieces: AsyncIterable<Piece>,
    depth: number,
  ): AsyncGenerator<InnerFile> {
    const { sink } = this.#sources;
    const shown = this.#sources.shown(given.source, given.path);
    let source: SourceId | undefined;
    try {
      const store = 'store' in given ? given.store : await gather(pieces);
      const counted = (all: AsyncIterable<Piece>) =>
        depth === 0 ? this.#unpacking.taken(all) : all;
      const { entries, problem } = await entriesOf(store, this.#policy, counted);
      const place = this.#policy.placeOf(
        given.path,
        entries.map((entry) => entry.path),
      );
      source = this.#begin(given, place.source);
      if (problem) sink.missRest(source, shown, problem);
      for (const entry of entries) {
        this.#unpacking.check();
        const path = place.folder + entry.path;
        try {
          const { size } = entry;
          yield* this.files(
            { source, path, size, pieces: this.#unpacking.unpacked(entry.pieces) },
            depth + 1,
          );
        } catch (why) {
          sink.missFile(source, path, why);
        }
      }
    } catch (problem) {
      // an archive of which nothing is known is a source, too: it concerns no run that lies beside
      // it
      sink.missRest(source ?? this.#begin(given, given.path), shown, problem);
    }
  }

  /**
   * An archive belongs to the folder that it lies in; one that was given itself belongs to nothing
   * else.
   */
  #begin({ source, alone }: Placed, name: string): SourceId {
    if (alone === undefined) return this.#sources.begin(name, source);
    return this.#sources.begin([alone, name].filter(Boolean).join('/'), -1);
  }

  /** Each run in it is a source of its own. */
  async *#report(
    path: string,
    runs: readonly ReportRun[],
    depth: number,
  ): AsyncGenerator<InnerFile> {
    for (const { name, single, files } of runs) {
      const source = this.#sources.begin(name ? `${path}/${name}` : path, -1, single);
      for (const file of files) yield* this.files({ source, ...file }, depth);
    }
  }
}
