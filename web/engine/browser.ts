/** The engine over a worker. */
import {
  type Artefact,
  type AskOptions,
  CoreError,
  type Engine,
  type InputFile,
  type Opened,
  type OpenOptions,
  type Packed,
  type Packing,
  type RunId,
} from './engine';
import type { Piece } from './pieces';
import {
  type Calls,
  type CallType,
  coreStopped,
  type Request,
  type Response,
  type WasmSource,
} from './protocol';
import type { QuestionName } from './questions';
import { Table } from './table';

interface Pending {
  answer: Promise<unknown>;
  resolve: (answer: never) => void;
  reject: (problem: unknown) => void;
  files?: Blob[];
  onProgress?: OpenOptions['onProgress'];
}

/** A worker from a Blob has no address that a relative URL could be relative to. */
const absolute = (url: string): string => new URL(url, document.baseURI).href;

/** What `make` made, once for all; when it failed, it is made again for the next who asks. */
export function keptUnlessFailed<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= make().catch((problem: unknown) => {
      kept = undefined;
      throw problem;
    });
    return kept;
  };
}

export class WorkerEngine implements Engine {
  readonly #createWorker: () => Worker;
  readonly #wasm: () => Promise<WasmSource>;
  readonly #pending = new Map<number, Pending>();
  readonly #runs = new Set<RunId>();
  onStopped: ((why: string) => void) | undefined;
  #worker!: Worker;
  #started!: Promise<void>;
  #running = false;
  #failed = false;
  #lastId = 0;
  #nextRun: RunId = 0;

  /** `wasm` gives the core; bytes are then transferred. */
  constructor(createWorker: () => Worker, wasm: () => Promise<WasmSource>) {
    this.#createWorker = createWorker;
    this.#wasm = wasm;
    this.#start();
  }

  #start(): void {
    const worker = this.#createWorker();
    const fall = (why: string) => this.#worker === worker && this.#fall(why);
    worker.onmessage = ({ data }: MessageEvent<Response>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      fall(event.message || 'it could not be started');
    };
    this.#worker = worker;
    this.#running = false;
    this.#failed = false;
    const { id, answer } = this.#expect('start');
    this.#wasm().then(
      (wasm) => {
        const transfer = wasm instanceof ArrayBuffer ? [wasm] : [];
        worker.postMessage(
          { type: 'start', id, wasm, firstRun: this.#nextRun } satisfies Request,
          transfer,
        );
      },
      (problem: unknown) => fall(problem instanceof Error ? problem.message : String(problem)),
    );
    this.#started = answer;
    // a failure is reported by whatever was asked, and what is asked next tries again
    answer.then(
      () => {
        this.#running = true;
      },
      () => {
        this.#failed = true;
      },
    );
  }

  ready(): Promise<void> {
    return this.#started;
  }

  async open(files: InputFile[], options: OpenOptions = {}): Promise<Opened> {
    const { sources, beside, renews } = options;
    const asked = { files, options: { sources, beside, renews } };
    return this.#cancellable('open', asked, options, files);
  }

  async openUrls(urls: string[], options: OpenOptions = {}): Promise<Opened> {
    const { renews } = options;
    const asked = { urls: urls.map(absolute), options: { renews } };
    return this.#cancellable('openUrls', asked, options);
  }

  async ask<Q extends QuestionName>(question: Q, options: AskOptions = {}): Promise<Table<Q>> {
    return new Table(await this.#call('ask', { question, options }));
  }

  async export(
    run: RunId,
    to: string,
    options: Omit<AskOptions, 'runs'> = {},
  ): Promise<Artefact[]> {
    return this.#call('export', { run, to, options });
  }

  async pack(packing: Packing): Promise<Packed> {
    const parts = packing.parts.map((part) => ({ ...part, urls: part.urls.map(absolute) }));
    const files = parts.flatMap((part) => part.files.map((file) => file.data));
    return this.#call('pack', { ...packing, parts }, { files });
  }

  async close(run: RunId): Promise<void> {
    if (!this.#runs.delete(run)) return;
    await this.#call('close', { run });
    void this.#replaceUnused();
  }

  /**
   * WebAssembly's memory only grows: with the last run goes the worker that holds it, once it owes
   * no answer.
   */
  async #replaceUnused(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map((pending) => pending.answer));
    if (this.#runs.size > 0 || this.#pending.size > 0) return;
    this.#worker.terminate();
    this.#start();
  }

  async #cancellable<T extends 'open' | 'openUrls'>(
    type: T,
    request: Calls[T]['request'],
    { signal, onProgress }: OpenOptions,
    files: InputFile[] = [],
  ): Promise<Opened> {
    signal?.throwIfAborted();
    const answer = this.#call(type, request, { onProgress, files: files.map((file) => file.data) });
    const id = this.#lastId;
    const cancel = () => this.#whenStarted(id, { type: 'cancel', id });
    signal?.addEventListener('abort', cancel);
    try {
      const opened = await answer;
      for (const run of opened.runs) {
        this.#runs.add(run);
        this.#nextRun = Math.max(this.#nextRun, run + 1);
      }
      return opened;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #call<T extends CallType>(
    type: T,
    request: Calls[T]['request'],
    extras: Pick<Pending, 'files' | 'onProgress'> = {},
  ): Promise<Calls[T]['answer']> {
    // what could not be started, because the network was away, may start by now
    if (this.#failed) this.#start();
    const { id, answer } = this.#expect<T>(type, extras);
    this.#whenStarted(id, { type, id, ...request } as Request);
    return answer;
  }

  /**
   * Posts what belongs to the request `id` once the worker can hear it. An answer is owed from the
   * request on: until it is there, the worker is not replaced by one that has not started yet.
   */
  #whenStarted(id: number, request: Request): void {
    this.#started.then(
      () => this.#pending.has(id) && this.#post(request),
      (problem: unknown) => {
        this.#pending.get(id)?.reject(problem);
        this.#pending.delete(id);
      },
    );
  }

  /** An id under which an answer will come. */
  #expect<T extends CallType>(_type: T, extras: Pick<Pending, 'files' | 'onProgress'> = {}) {
    this.#lastId += 1;
    const id = this.#lastId;
    let settle!: Pick<Pending, 'resolve' | 'reject'>;
    const answer = new Promise<Calls[T]['answer']>((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#pending.set(id, { answer, ...settle, ...extras });
    return { id, answer };
  }

  #post(request: Request, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #hear(response: Response): void {
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    switch (response.type) {
      case 'progress':
        pending.onProgress?.(response.progress);
        break;
      case 'read':
        void this.#readFor(response, pending);
        break;
      case 'done':
        this.#pending.delete(response.id);
        pending.resolve(response.answer as never);
        break;
      case 'failed':
        if (response.name === coreStopped) {
          this.#fall(response.message);
          break;
        }
        this.#pending.delete(response.id);
        pending.reject(
          response.name === 'AbortError'
            ? new DOMException(response.message, 'AbortError')
            : new CoreError(response.message),
        );
    }
  }

  async #readFor(
    { read, index, begin, end }: Response & { type: 'read' },
    { files }: Pending,
  ): Promise<void> {
    try {
      const piece: Piece | undefined =
        files?.[index] && new Uint8Array(await files[index].slice(begin, end).arrayBuffer());
      this.#post(
        piece ? { type: 'piece', read, piece } : { type: 'piece', read },
        piece ? [piece.buffer] : [],
      );
    } catch {
      this.#post({ type: 'piece', read });
    }
  }

  /**
   * The worker can do no more. One that has once run is replaced at once; one that did not even
   * start is replaced when something is wanted again.
   */
  #fall(what: string): void {
    const again = this.#running;
    const why = `the core has stopped (${what})${again ? ' and was restarted; no file was changed' : ''}`;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#worker.terminate();
    if (again) {
      this.#runs.clear();
      this.#start();
      this.onStopped?.(why);
    }
    for (const { reject } of pending) reject(new CoreError(why));
  }
}
