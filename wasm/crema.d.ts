/**
 * The WebAssembly module as wasm/bindings.cpp declares it. Nobody but web/engine/core.ts calls it.
 */

/**
 * Texts are JSON; a failure is the JSON text {"error": sentence}. A view is valid only until the
 * next call: copy it at once.
 */
export interface Session {
  /**
   * Begins a source of the current opening: a folder, an archive, an address, what was dropped at
   * once. Files are told apart by their source and the folder in it, never by names. `name` is what
   * stands before the paths of its files, for people: 'old' for the folder old/run whose files are
   * 'run/…', '' when unknown. An archive found in another source has that as its `parent` (else -1)
   * and is a folder of it. Sources count from 0 in each opening.
   */
  beginSource(name: string, parent: number): number;
  /**
   * A source of files given one by one: one run wherever they lie, unless there are metrics in
   * several of their folders.
   */
  beginSingleFiles(name: string): number;
  addFile(source: number, path: string, size: number): number;
  /**
   * Instead of adding it: takes what was read of the file when `run`, which is still being
   * recorded, was opened. False where that is not kept.
   */
  reuseFile(run: number, source: number, path: string): boolean;
  /** The buffer to write the next piece to. */
  input(): Uint8Array;
  /** Takes the first `count` bytes of the input buffer; '' or a failure. */
  push(file: number, count: number): string;
  /** By which what was pushed of a file of the current opening is known when it is read again. */
  digest(file: number): string;
  /** Whether anything in the rest of a file could still be read. */
  wantsMore(file: number): boolean;
  /** '' or a failure. */
  finishFile(file: number): string;
  /**
   * The rest of the file cannot be had, `why` is a sentence: a data note of its run. Finishes it.
   * '' or a failure.
   */
  failFile(file: number, why: string): string;
  /** A file that was not added, because it cannot be had. */
  missFile(source: number, path: string, why: string): void;
  /**
   * Some part of the source, which is called `name`: an archive that is cut off. A data note of all
   * its runs.
   */
  missRest(source: number, name: string, why: string): void;
  /** {format, where, stored}: how far a file has been read; see FileProgress. */
  progress(file: number): string;
  /** `renewed`: the run whose place the first one takes; -1 for none. */
  finish(renewed: number): string;
  /**
   * [{source, path}…] as JSON: the files that a run was made of, as they were added. Two of them
   * may have one path.
   */
  files(run: number): string;
  cancel(): void;
  close(run: number): void;
  /** The header of the answer, whose columns and strings are then fetched one by one. */
  ask(request: string): string;
  numbers(column: number): Float64Array;
  texts(column: number): Uint32Array;
  /** The UTF-8 of all strings, one after the other. */
  strings(): Uint8Array;
  /** Where in it each string ends. */
  stringEnds(): Uint32Array;
  /** The names of the files made, whose bytes are then fetched one by one. */
  exportRun(request: string): string;
  artefact(index: number): Uint8Array;
  /** Frees the last answer and the last export. */
  release(): void;
  /** Frees the session itself. */
  delete(): void;
}

/** Rewrites files so that they name nobody: all are learnt from first, then all are rewritten. */
export interface NameHider {
  /** The buffer to write the next piece to. */
  input(): Uint8Array;
  /** Learns from the first `count` bytes of the input buffer; '' or a failure. */
  learn(count: number): string;
  endFile(): string;
  /**
   * Rewrites the first `count` bytes of the input buffer: the next ones of the new file are then
   * `output`.
   */
  hide(count: number): string;
  endHiding(): string;
  output(): Uint8Array;
  /** Frees it. */
  delete(): void;
}

/**
 * What of folders and archives is looked at, and what unpacking may cost
 * (core/session/source_policy.hpp).
 */
export interface SourcePolicy {
  /** Whether a file of a folder or archive is looked at; `path` begins below what was opened. */
  countsAsFile(path: string): boolean;
  /**
   * The path of an archive's entry: '/' between folders; '' when it is none, or leads out of the
   * archive.
   */
  entryPath(name: string): string;
  /**
   * {source, folder} as JSON: where the files of the archive at `path` stand. `source` is the name
   * for `beginSource`, `folder` is put before their paths. `entries`: the paths of those that
   * count, one per line.
   */
  placeOfArchive(path: string, entries: string): string;
  /**
   * Whether so many bytes may come out of so many, each counted over all of one archive with those
   * in it.
   */
  mayUnpack(unpacked: number, packed: number): boolean;
  /**
   * {maxArchiveDepth, mostEntries} and the sentences {tooMuchUnpacked, tooManyEntries,
   * encryptedEntry} as JSON.
   */
  limits(): string;
}

export interface Crema {
  SourcePolicy: SourcePolicy;
  /** `firstRun` is the id of its first run, 0 without it. */
  Session: new (
    firstRun?: number,
  ) => Session;
  /** `also` are further words to hide, one per line. */
  NameHider: new (
    also: string,
  ) => NameHider;
}

/**
 * The module's bytes, or what makes an instance of it and hands that to `done`; {} is returned at
 * once.
 */
export type ModuleSource =
  | { wasmBinary: ArrayBuffer | Uint8Array }
  | {
      instantiateWasm: (
        imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance) => void,
      ) => object;
    };

export default function createCrema(options: ModuleSource): Promise<Crema>;
