/** The engine over a worker. */
import {
  type Artefact,
  type AskOptions,
  CoreError,
  type Engine,
  type InputFile,
  type Opened,
  type OpenOptions,
  type RunId,
} from './engine';
import type { Piece } from './pieces';
import type { Calls, CallType, Request, Response, WasmSource } from './protocol';
import { Table } from './table';

interface Pending {
  resolve: (answer: never) => void;
  reject: (problem: unknown) => void;
  files?: Blob[];
  onProgress?: OpenOptions['onProgress'];
}

export class WorkerEngine implements Engine {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #started: Promise<void>;
  #lastId = 0;

  /** `wasm` is the core, to be fetched or (transferred) at hand. */
  constructor(worker: Worker, wasm: WasmSource) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Response>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failAll(`the worker has stopped: ${event.message || 'it could not be started'}`);
    };
    this.#started = this.#call('start', { wasm }, {}, typeof wasm === 'string' ? [] : [wasm]);
    // Reported by whatever is asked first.
    this.#started.catch(() => undefined);
  }

  async open(files: InputFile[], options: OpenOptions = {}): Promise<Opened> {
    await this.#started;
    const posted = files.map(({ path, data }) => ({ path, data }));
    return this.#cancellable('open', { files: posted }, options, files);
  }

  async openUrls(urls: string[], options: OpenOptions = {}): Promise<Opened> {
    await this.#started;
    // A worker from a Blob has no address that a relative URL could be relative to.
    const absolute = urls.map((url) => new URL(url, document.baseURI).href);
    return this.#cancellable('openUrls', { urls: absolute }, options);
  }

  async ask(question: string, options: AskOptions = {}): Promise<Table> {
    await this.#started;
    return new Table(await this.#call('ask', { question, options }));
  }

  async export(run: RunId, to: string, options: Omit<AskOptions, 'runs'> = {}): Promise<Artefact[]> {
    await this.#started;
    return this.#call('export', { run, to, options });
  }

  async close(run: RunId): Promise<void> {
    await this.#started;
    return this.#call('close', { run });
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
    const cancel = () => this.#post({ type: 'cancel', id });
    signal?.addEventListener('abort', cancel);
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #call<T extends CallType>(
    type: T,
    request: Calls[T]['request'],
    extras: Pick<Pending, 'files' | 'onProgress'> = {},
    transfer: Transferable[] = [],
  ): Promise<Calls[T]['answer']> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...extras });
      this.#post({ type, id, ...request } as Request, transfer);
    });
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
        this.#pending.delete(response.id);
        pending.reject(
          response.name === 'AbortError'
            ? new DOMException(response.message, 'AbortError')
            : new CoreError(response.message),
        );
    }
  }

  async #readFor({ read, index, begin, end }: Response & { type: 'read' }, { files }: Pending): Promise<void> {
    try {
      const piece: Piece | undefined =
        files?.[index] && new Uint8Array(await files[index].slice(begin, end).arrayBuffer());
      this.#post(piece ? { type: 'piece', read, piece } : { type: 'piece', read }, piece ? [piece.buffer] : []);
    } catch {
      this.#post({ type: 'piece', read });
    }
  }

  #failAll(message: string): void {
    for (const { reject } of this.#pending.values()) reject(new CoreError(message));
    this.#pending.clear();
  }
}
