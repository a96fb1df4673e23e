/** The worker: runs the engine and answers requests. */
import createCrema, { type Crema } from 'crema-core/crema.js';
import { CoreEngine, type StoredFile } from './core';
import type { Bytes, OpenOptions, Progress } from './engine';
import { type Halves, JoinedHalves } from './halves';
import { type Piece, withStores } from './pieces';
import {
  type CallRequest,
  type Calls,
  type CallType,
  failureOf,
  type Request,
  type Response,
  type WasmSource,
} from './protocol';
import { warmUp } from './warmUp';

/** Nobody has wanted anything for so long: there is time to warm up. */
const idleMilliseconds = 250;

// The part of a worker's global scope that is used here: its types and the page's exclude each
// other.
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(response: Response, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

let engine: CoreEngine | undefined;
let isWanted = false;
/** how many requests are not answered yet */
let underway = 0;
let whenIdle: (() => Promise<void>) | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
const openings = new Map<number, AbortController>();
const reads = new Map<
  number,
  { resolve: (piece: Piece) => void; reject: (problem: unknown) => void }
>();
let lastRead = 0;

scope.onmessage = ({ data: request }) => {
  switch (request.type) {
    case 'cancel':
      openings.get(request.id)?.abort();
      break;
    case 'piece':
      settleRead(request.read, request.piece);
      break;
    default:
      isWanted = request.type !== 'start';
      void answer(request);
  }
};

async function answer(request: CallRequest): Promise<void> {
  const { id } = request;
  underway += 1;
  clearTimeout(idle);
  try {
    const result = await call(request);
    scope.postMessage({ type: 'done', id, answer: result }, buffersOf(result));
  } catch (problem) {
    scope.postMessage({ type: 'failed', id, ...failureOf(problem) });
  } finally {
    openings.delete(id);
    underway -= 1;
    // what goes wrong here would go wrong again where somebody sees it
    if (underway === 0)
      idle = setTimeout(() => whenIdle?.().catch(() => undefined), idleMilliseconds);
  }
}

async function call(request: CallRequest): Promise<Calls[CallType]['answer']> {
  if (request.type === 'start') {
    const halves = 'first' in request.wasm ? new JoinedHalves(request.wasm) : undefined;
    const crema = await coreOf(halves ?? request.wasm);
    engine = new CoreEngine(crema, request.firstRun);
    whenIdle = async () => {
      await halves?.arrive();
      if (!isWanted) await warmUp(new CoreEngine(crema), () => isWanted);
    };
    return undefined;
  }
  if (!engine) throw new Error('the worker was asked before it was started');
  switch (request.type) {
    case 'open': {
      const withPage = throughPage(request.id);
      const files = withStores(request.files).map((file) => withPage(file));
      return engine.openStores(files, { ...openOptions(request.id), ...request.options });
    }
    case 'openUrls':
      return engine.openUrls(request.urls, { ...openOptions(request.id), ...request.options });
    case 'ask':
      return engine.answer(request.question, request.options);
    case 'export':
      return engine.export(request.run, request.to, request.options);
    case 'pack': {
      const withPage = throughPage(request.id);
      const parts = request.parts.map(({ runs, files, urls }) => ({
        runs,
        urls,
        stores: withStores(files).map((file) => withPage(file)),
      }));
      return engine.packStores(parts, request.text, request.hide);
    }
    case 'close':
      await engine.close(request.run);
      return undefined;
  }
}

const coreOf = (wasm: Exclude<WasmSource, Halves> | JoinedHalves): Promise<Crema> =>
  wasm instanceof ArrayBuffer
    ? createCrema({ wasmBinary: wasm })
    : new Promise((resolve, reject) => {
        createCrema({
          instantiateWasm(imports, done) {
            const started =
              wasm instanceof JoinedHalves
                ? wasm.start(imports)
                : WebAssembly.instantiate(wasm, imports);
            started.then(done, reject);
            return {};
          },
        }).then(resolve, reject);
      });

function openOptions(id: number): OpenOptions {
  const controller = new AbortController();
  openings.set(id, controller);
  const onProgress = (progress: Progress) => scope.postMessage({ type: 'progress', id, progress });
  return { signal: controller.signal, onProgress };
}

/**
 * WebKit lets a worker of a page from file: not read the page's files; the page then reads for it.
 * For each of the files of request `id` in their order.
 */
function throughPage(id: number): (file: StoredFile) => StoredFile {
  let files = 0;
  return ({ store, ...file }) => {
    const index = files++;
    let readable = true;
    const read = async (begin: Bytes, end: Bytes) => {
      if (readable) {
        try {
          return await store.read(begin, end);
        } catch (problem) {
          if (!(problem instanceof DOMException && problem.name === 'NotReadableError'))
            throw problem;
          readable = false;
        }
      }
      return new Promise<Piece>((resolve, reject) => {
        lastRead += 1;
        reads.set(lastRead, { resolve, reject });
        scope.postMessage({ type: 'read', read: lastRead, id, index, begin, end });
      });
    };
    return { ...file, store: { ...store, read } };
  };
}

function settleRead(read: number, piece?: Piece): void {
  const waiting = reads.get(read);
  reads.delete(read);
  if (piece) waiting?.resolve(piece);
  else waiting?.reject(new DOMException('the file cannot be read', 'NotReadableError'));
}

/** The large parts of an answer, to be handed over instead of copied. */
function buffersOf(result: Calls[CallType]['answer']): ArrayBuffer[] {
  if (!result) return [];
  const arrays = Array.isArray(result)
    ? result.map((artefact) => artefact.content)
    : 'columns' in result
      ? result.columns.map((column) => (column.type === 'text' ? column.texts : column.numbers))
      : [];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
