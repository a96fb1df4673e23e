/** The WebAssembly module as wasm/bindings.cpp declares it. Nobody but web/engine/core.ts calls it. */

/** Texts are JSON; a failure is the JSON text {"error": sentence}. A view is valid only until the next call: copy it at once. */
export interface Session {
  addFile(path: string, size: number): number;
  /** The buffer to write the next piece to. */
  input(): Uint8Array;
  /** Takes the first `count` bytes of the input buffer; '' or a failure. */
  push(file: number, count: number): string;
  /** '' or a failure. */
  finishFile(file: number): string;
  /** {format, where, stored}: how far a file has been read; see FileProgress. */
  progress(file: number): string;
  finish(): string;
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
  /** Rewrites the first `count` bytes of the input buffer: the next ones of the new file are then `output`. */
  hide(count: number): string;
  endHiding(): string;
  output(): Uint8Array;
  /** Frees it. */
  delete(): void;
}

export interface Crema {
  /** `firstRun` is the id of its first run, 0 without it. */
  Session: new (
    firstRun?: number,
  ) => Session;
  /** `also` are further words to hide, one per line. */
  NameHider: new (
    also: string,
  ) => NameHider;
}

/** The module's bytes, or what makes an instance of it and hands that to `done`; {} is returned at once. */
export type ModuleSource =
  | { wasmBinary: ArrayBuffer | Uint8Array }
  | {
      instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
    };

export default function createCrema(options: ModuleSource): Promise<Crema>;
