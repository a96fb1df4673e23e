/** The engine in this very thread: calls the WebAssembly core. The worker runs one, and so do tests under Node. */
import type { Crema, Session } from 'crema-core/crema.js';
import { download } from './downloads';
import {
  type Artefact,
  type AskOptions,
  type Bytes,
  CoreError,
  type Doubt,
  type Engine,
  type FileProgress,
  type InputFile,
  type Opened,
  type OpenOptions,
  type Packed,
  type Packing,
  type RunId,
} from './engine';
import { packed } from './packing';
import { inParts, type Piece, type Store, storeOf } from './pieces';
import { filesIn, type Source, type SourceFile } from './sources';
import { type Column, Table, type TableData } from './table';

/** A part of a Packing whose files can be read in any order. */
export interface PackedPart {
  runs: RunId[];
  stores: { path: string; store: Store }[];
  urls: string[];
}

/** A Source, and how large it is on disk (0 when unknown). */
export interface Opening {
  source: Source;
  size: Bytes;
}

type Header = Omit<TableData, 'columns' | 'notes' | 'strings'> & {
  columns: Pick<Column, 'name' | 'type' | 'unit' | 'formula' | 'width'>[];
  notes: Record<string, number | string | null>;
};

// Whoever cancels, and whoever else waits for this thread, gets a turn this often.
const turnMilliseconds = 25;
// Faster than this nobody reads.
const reportMilliseconds = 100;

export class CoreEngine implements Engine {
  readonly #crema: Crema;
  readonly #session: Session;
  #opening: Promise<unknown> = Promise.resolve();

  /** `firstRun` is the id of the first run to be opened. */
  constructor(crema: Crema, firstRun: RunId = 0) {
    this.#crema = crema;
    this.#session = new crema.Session(firstRun);
  }

  async ready(): Promise<void> {}

  open(files: InputFile[], options: OpenOptions = {}): Promise<Opened> {
    return this.openStores(
      files.map(({ path, data }) => ({ path, store: storeOf(data) })),
      options,
    );
  }

  openStores(files: { path: string; store: Store }[], options: OpenOptions = {}): Promise<Opened> {
    return this.#inTurn(() =>
      this.#open(
        files.map((source) => ({ source, size: source.store.size })),
        options,
      ),
    );
  }

  openUrls(urls: string[], options: OpenOptions = {}): Promise<Opened> {
    return this.#inTurn(async () => {
      const missed: Doubt[] = [];
      const miss = (file: string, message: string) =>
        missed.push({ id: 'unreadable', severity: 'high', file, path: '', message, count: 1 });
      return this.#open(await download(urls, options.signal, miss), options, missed);
    });
  }

  async ask(question: string, options: AskOptions = {}): Promise<Table> {
    return new Table(this.answer(question, options));
  }

  /** The answer as plain data. */
  answer(question: string, options: AskOptions = {}): TableData {
    const header = understood<Header>(this.#session.ask(request({ question, runs: options.runs }, options)));
    const columns = header.columns.map((column, index): Column => {
      if (column.type === 'text')
        return { ...column, type: 'text', width: 1, texts: this.#session.texts(index).slice() };
      return { ...column, type: column.type, numbers: this.#session.numbers(index).slice() };
    });
    const strings = stringsIn(this.#session.strings().slice(), this.#session.stringEnds());
    this.#session.release();
    // JSON knows no NaN.
    const notes = Object.fromEntries(Object.entries(header.notes).map(([name, value]) => [name, value ?? Number.NaN]));
    return { ...header, columns, notes, strings };
  }

  async export(run: RunId, to: string, options: Omit<AskOptions, 'runs'> = {}): Promise<Artefact[]> {
    const { names } = understood<{ names: string[] }>(
      this.#session.exportRun(request({ question: to, runs: [run] }, options)),
    );
    const artefacts = names.map((name, index) => ({ name, content: this.#session.artefact(index).slice() }));
    this.#session.release();
    return artefacts;
  }

  pack({ parts, text, hide }: Packing): Promise<Packed> {
    const stored = parts.map(({ runs, files, urls }) => ({
      runs,
      urls,
      stores: files.map(({ path, data }) => ({ path, store: storeOf(data) })),
    }));
    return this.packStores(stored, text, hide);
  }

  async packStores(parts: PackedPart[], text: string, hide?: string[]): Promise<Packed> {
    const wanted = parts.map(({ runs, stores, urls }) => ({
      stores,
      urls,
      paths: new Set(runs.flatMap((run) => this.#pathsOf(run))),
    }));
    const hider = hide && new this.#crema.NameHider(hide.join('\n'));
    try {
      return await packed(wanted, text, hider);
    } finally {
      hider?.delete();
    }
  }

  #pathsOf(run: RunId): string[] {
    const sources = new Table(this.answer('sources', { runs: [run] }));
    return Array.from({ length: sources.rows }, (_, row) => sources.text('file', row) ?? '');
  }

  async close(run: RunId): Promise<void> {
    this.#session.close(run);
  }

  /** The core knows one opening at a time. */
  #inTurn<T>(open: () => Promise<T>): Promise<T> {
    const mine = this.#opening.then(open);
    this.#opening = mine.catch(() => undefined);
    return mine;
  }

  /** `doubts`: those that there are already. */
  async #open(openings: Opening[], options: OpenOptions, doubts: Doubt[] = []): Promise<Opened> {
    const meter = new Meter(openings, options);
    const missed = (path: string, problem: unknown) => doubts.push(unreadable(path, problem));
    let read = 0;
    const given = this.#session.beginSource('', -1);
    try {
      for (const { source } of openings) {
        try {
          for await (const file of filesIn(meter.counted(source), missed)) {
            await this.#read(given, file, meter, doubts);
            read += 1;
          }
        } catch (problem) {
          missed(source.path, problem);
        }
      }
    } catch (problem) {
      this.#session.cancel();
      throw problem;
    }
    meter.finish();
    const finished = JSON.parse(this.#session.finish()) as Opened | { error: string };
    const sentences = doubts.map((doubt) => doubt.message);
    // the core speaks of the files that it was given
    const ofCore = 'error' in finished && (read > 0 || sentences.length === 0) ? [finished.error] : [];
    if ('error' in finished) throw new CoreError([...ofCore, ...sentences].join('\n'));
    return { runs: finished.runs, doubts: [...doubts, ...finished.doubts] };
  }

  /** Hands one file to the core. What can be read of a damaged one is kept. */
  async #read(source: number, file: SourceFile, meter: Meter, doubts: Doubt[]): Promise<void> {
    const id = this.#session.addFile(source, file.path, file.size);
    try {
      for await (const piece of file.pieces) {
        this.#push(id, piece);
        await meter.show(file.path, () => understood<FileProgress>(this.#session.progress(id)));
      }
    } catch (problem) {
      doubts.push(unreadable(file.path, problem));
    }
    understand(this.#session.finishFile(id));
  }

  #push(id: number, piece: Piece): void {
    for (const part of inParts(piece)) {
      this.#session.input().set(part);
      understand(this.#session.push(id, part.length));
    }
  }
}

/** Counts the bytes as they lie on disk, reports them, and notices when the opening is cancelled. */
class Meter {
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

  counted(source: Source): Source {
    const count = (bytes: Bytes) => {
      this.#loaded += bytes;
    };
    async function* counting(all: AsyncIterable<Piece> | Piece[]): AsyncGenerator<Piece> {
      for await (const piece of all) {
        count(piece.length);
        yield piece;
      }
    }
    if ('store' in source) {
      const { store } = source;
      const read = async (begin: Bytes, end: Bytes) => {
        const piece = await store.read(begin, end);
        count(piece.length);
        return piece;
      };
      const pieces = store.pieces && ((begin: Bytes, end: Bytes) => counting(store.pieces?.(begin, end) ?? []));
      return { path: source.path, store: { size: store.size, read, ...(pieces && { pieces }) } };
    }
    return { path: source.path, pieces: counting(source.pieces) };
  }

  /** Reports how far it is and lets others have a turn; throws an AbortError when the opening was cancelled. */
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

function request(what: object, { selection, options }: AskOptions): string {
  return JSON.stringify({ ...what, selection, options });
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The strings whose bytes stand one after the other, each up to its end. */
function stringsIn(bytes: Uint8Array, ends: Uint32Array): string[] {
  const all = utf8.decode(bytes);
  // Names are mostly ASCII: a byte is a character, and all are decoded at once.
  const asCharacters = all.length === bytes.length;
  const cut = (begin: number, end: number) =>
    asCharacters ? all.slice(begin, end) : utf8.decode(bytes.subarray(begin, end));
  return Array.from(ends, (end, index) => cut(ends[index - 1] ?? 0, end));
}

function understood<T extends object>(answer: string): T {
  const parsed = JSON.parse(answer) as T | { error: string };
  if ('error' in parsed) throw new CoreError(parsed.error);
  return parsed;
}

function understand(answer: string): void {
  if (answer !== '') understood(answer);
}

/** A doubt for a file or archive whose bytes cannot be had; cancelling and the core's own failures are thrown on. */
function unreadable(file: string, problem: unknown): Doubt {
  if (problem instanceof CoreError) throw problem;
  const { name, message } = problem instanceof Error ? problem : { name: '', message: String(problem) };
  if (name === 'AbortError') throw problem;
  const sentence = whyUnreadable(name, message);
  return { id: 'unreadable', severity: 'high', file, path: '', message: `${file}: ${sentence}`, count: 1 };
}

function whyUnreadable(name: string, message: string): string {
  if (name === 'UnwantedArchive') return message;
  if (name === 'NotFoundError' || name === 'NotReadableError')
    return 'the browser can no longer read it (moved, changed or deleted?)';
  return `the archive is damaged, cut off or of a kind that cannot be read (${message})`;
}
