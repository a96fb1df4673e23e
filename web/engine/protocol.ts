/**
 * What the page and the worker say to each other. Ids count up; every request is answered once,
 * under its id.
 */
import type {
  Artefact,
  AskOptions,
  Bytes,
  InputFile,
  Opened,
  OpenOptions,
  Packed,
  Packing,
  Progress,
  RunId,
} from './engine';
import type { Halves } from './halves';
import type { Piece } from './pieces';
import type { TableData } from './table';

/** The WebAssembly core: compiled, its bytes, or in two halves. */
export type WasmSource = WebAssembly.Module | ArrayBuffer | Halves;

/** What can be asked of the worker, and what it answers. */
export interface Calls {
  /**
   * `firstRun` is the id of the first run to be opened: ids of a worker that was before this one
   * are not used again.
   */
  start: { request: { wasm: WasmSource; firstRun: RunId }; answer: undefined };
  open: {
    request: { files: InputFile[]; options: Pick<OpenOptions, 'sources' | 'beside' | 'renews'> };
    answer: Opened;
  };
  openUrls: {
    request: { urls: string[]; options: Pick<OpenOptions, 'renews'> };
    answer: Opened;
  };
  ask: { request: { question: string; options: AskOptions }; answer: TableData };
  export: {
    request: { run: RunId; to: string; options: Omit<AskOptions, 'runs'> };
    answer: Artefact[];
  };
  pack: { request: Packing; answer: Packed };
  close: { request: { run: RunId }; answer: undefined };
}

export type CallType = keyof Calls;

export type CallRequest = {
  [T in CallType]: { type: T; id: number } & Calls[T]['request'];
}[CallType];

export type Request =
  | CallRequest
  /** Gives up the opening of that id, which then fails with an AbortError. */
  | { type: 'cancel'; id: number }
  /** The page's answer to 'read'; no piece when the page cannot read it either. */
  | { type: 'piece'; read: number; piece?: Piece };

/**
 * The name of a failure after which the core cannot go on: it has trapped, or its stack was too
 * small.
 */
export const coreStopped = 'CoreStopped';

/** A stack that was too small is a RangeError in most browsers, and in Firefox an error of its own. */
const stackWasTooSmall = /call stack|too much recursion/i;

/** What the page learns of a problem in the worker. */
export function failureOf(problem: unknown): { name: string; message: string } {
  const { name, message } =
    problem instanceof Error ? problem : { name: 'Error', message: String(problem) };
  const isStop = problem instanceof WebAssembly.RuntimeError || stackWasTooSmall.test(message);
  return { name: isStop ? coreStopped : name, message };
}

export type Response =
  | { type: 'done'; id: number; answer: Calls[CallType]['answer'] }
  | { type: 'failed'; id: number; name: string; message: string }
  | { type: 'progress'; id: number; progress: Progress }
  /** The worker may not read the file at `index` of the opening `id`: the page shall. */
  | { type: 'read'; read: number; id: number; index: number; begin: Bytes; end: Bytes };
