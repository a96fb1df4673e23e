/**
 * The engine in this very thread: calls the WebAssembly core. The worker runs one, and so do tests
 * under Node.
 */
import type { Crema, Session } from 'crema-core/crema.js';
import { contentsOf } from './contents';
import { download } from './downloads';
import {
  type Artefact,
  type AskOptions,
  type Bytes,
  CoreError,
  type DataNote,
  type Engine,
  type FileProgress,
  type InputFile,
  type Opened,
  type OpenOptions,
  type Packed,
  type Packing,
  type RunId,
} from './engine';
import { Meter, type Opening } from './meter';
import { packed } from './packing';
import { inParts, type Piece, type Store, withStores } from './pieces';
import type { QuestionName } from './questions';
import { isPart } from './recordedParts';
import { policyOf, type SourcePolicy } from './sourcePolicy';
import { type Beside, filesIn, type Given, type SourceFile, type SourceSink } from './sources';
import { type Column, type NumberColumn, Table, type TableData } from './table';

/** An InputFile that can be read in any order. */
export type StoredFile = Omit<InputFile, 'data'> & { store: Store };

/** A part of a Packing whose files can be read in any order. */
export interface PackedPart {
  runs: RunId[];
  stores: StoredFile[];
  urls: string[];
}

/** A file as the core knows it. */
interface CoreFile {
  source: number;
  path: string;
}

const isThere = <T>(one: T | undefined): one is T => one !== undefined;

/** A file that was read. */
type KnownFile = Pick<SourceFile, 'from' | 'key' | 'shown' | 'path'> & {
  size: Bytes;
  digest: string;
};

type Header = Omit<TableData, 'columns' | 'notes' | 'strings'> & {
  columns: (Pick<NumberColumn, 'name' | 'unit' | 'formula' | 'matrix' | 'width'> &
    Pick<Column, 'type'>)[];
  notes: Record<string, number | string | null>;
};

export class CoreEngine implements Engine {
  readonly #crema: Crema;
  readonly #session: Session;
  readonly #policy: SourcePolicy;
  /** what each open run was read from */
  readonly #files = new Map<RunId, KnownFile[]>();
  #opening: Promise<unknown> = Promise.resolve();

  /** `firstRun` is the id of the first run to be opened. */
  constructor(crema: Crema, firstRun: RunId = 0) {
    this.#crema = crema;
    this.#session = new crema.Session(firstRun);
    this.#policy = policyOf(crema);
  }

  /**
   * Whether a file is looked at, whose path from what was opened on is `path`; all below a folder
   * is as the folder.
   */
  protected counts(path: string): boolean {
    return this.#policy.counts(path);
  }

  /** The files in what was `given`, unpacked; what cannot be had is told to `sink`. */
  protected filesIn(given: Given[], sink: SourceSink): AsyncGenerator<SourceFile> {
    return filesIn(given, this.#policy, sink);
  }

  async ready(): Promise<void> {}

  open(files: InputFile[], options: OpenOptions = {}): Promise<Opened> {
    return this.openStores(withStores(files), options);
  }

  openStores(files: StoredFile[], options: OpenOptions = {}): Promise<Opened> {
    return this.#inTurn(() =>
      this.#open(
        files.map((file) => ({ given: givenBy(file, options.sources), size: file.store.size })),
        options,
      ),
    );
  }

  openUrls(urls: string[], options: OpenOptions = {}): Promise<Opened> {
    return this.#inTurn(async () => {
      const missed: DataNote[] = [];
      const miss = (file: string, message: string) =>
        missed.push({ id: 'unreadable', severity: 'high', file, path: '', message, count: 1 });
      const downloads = await download(urls, options.signal, miss, (path) => this.counts(path));
      const { from, ...opened } = await this.#open(downloads, options, missed);
      const urlsOf = (places: number[]) => [
        ...new Set(places.map((place) => downloads[place]?.from ?? 0)),
      ];
      return { ...opened, from: from.map(urlsOf) };
    });
  }

  async ask<Q extends QuestionName>(question: Q, options: AskOptions = {}): Promise<Table<Q>> {
    return new Table(this.answer(question, options));
  }

  /** The answer as plain data. */
  answer(question: string, options: AskOptions = {}): TableData {
    const header = understood<Header>(
      this.#session.ask(request({ question, runs: options.runs }, options)),
    );
    const columns = header.columns.map((column, index): Column => {
      if (column.type === 'text')
        return { ...column, type: 'text', width: 1, texts: this.#session.texts(index).slice() };
      return { ...column, type: column.type, numbers: this.#session.numbers(index).slice() };
    });
    const strings = stringsIn(this.#session.strings().slice(), this.#session.stringEnds());
    this.#session.release();
    // JSON knows no NaN.
    const notes = Object.fromEntries(
      Object.entries(header.notes).map(([name, value]) => [name, value ?? Number.NaN]),
    );
    return { ...header, columns, notes, strings };
  }

  async export(
    run: RunId,
    to: string,
    options: Omit<AskOptions, 'runs'> = {},
  ): Promise<Artefact[]> {
    const { names } = understood<{ names: string[] }>(
      this.#session.exportRun(request({ question: to, runs: [run] }, options)),
    );
    const artefacts = names.map((name, index) => ({
      name,
      content: this.#session.artefact(index).slice(),
    }));
    this.#session.release();
    return artefacts;
  }

  pack({ parts, text, hide }: Packing): Promise<Packed> {
    const all = parts.map(({ runs, files, urls }) => ({ runs, urls, stores: withStores(files) }));
    return this.packStores(all, text, hide);
  }

  async packStores(parts: PackedPart[], text: string, hide?: string[]): Promise<Packed> {
    const hider = hide && new this.#crema.NameHider(hide.join('\n'));
    try {
      const wanted = parts.map(({ runs, stores, urls }) => ({
        given: stores.map((file) => givenBy(file)),
        urls,
        runs: runs.map((run) => new Set(this.#files.get(run)?.map((file) => file.key))),
      }));
      return await packed(wanted, text, this.#policy, hider);
    } finally {
      hider?.delete();
    }
  }

  async close(run: RunId): Promise<void> {
    this.#session.close(run);
    this.#files.delete(run);
  }

  /** The core knows one opening at a time. */
  #inTurn<T>(open: () => Promise<T>): Promise<T> {
    const mine = this.#opening.then(open);
    this.#opening = mine.catch(() => undefined);
    return mine;
  }

  /** `dataNotes`: those that there are already. */
  async #open(
    openings: Opening[],
    options: OpenOptions,
    dataNotes: DataNote[] = [],
  ): Promise<Opened> {
    const meter = new Meter(openings, options);
    const session = this.#session;
    const sink: SourceSink = {
      beginSource: (name, parent) => session.beginSource(name, parent),
      beginSingleFiles: (name) => session.beginSingleFiles(name),
      missFile: (source, path, problem) => session.missFile(source, path, sentenceOf(problem)),
      missRest: (source, name, problem) => session.missRest(source, name, sentenceOf(problem)),
    };
    const read = new Map<string, KnownFile>();
    try {
      const given = openings.map((opening) => meter.counted(opening.given));
      const beside = this.#besideOf(options);
      const isKnown = (source: number, path: string) => this.#reuses(options, source, path, read);
      for await (const file of filesIn(given, this.#policy, sink, { beside, isKnown })) {
        const { from, key, shown, source, path } = file;
        read.set(`${source} ${path}`, {
          from,
          key,
          shown,
          path,
          ...(await this.#read(file, meter)),
        });
      }
      meter.finish();
    } catch (problem) {
      session.cancel();
      throw problem;
    }
    const finished = JSON.parse(session.finish(options.renews ?? -1)) as Opened | { error: string };
    if ('error' in finished)
      throw new CoreError([finished.error, ...dataNotes.map(({ message }) => message)].join('\n'));
    const { runs } = finished;
    const files = runs.map((run) =>
      understood<CoreFile[]>(session.files(run))
        .map(({ source, path }) => read.get(`${source} ${path}`))
        .filter(isThere),
    );
    for (const [index, run] of runs.entries()) this.#files.set(run, files[index] ?? []);
    return {
      runs,
      from: files.map((ones) => [...new Set(ones.map((file) => file.from))]),
      contents: files.map(contentsOf),
      dataNotes: [...dataNotes, ...finished.dataNotes],
    };
  }

  /** A part of a recording never changes: what was read of it is taken again. */
  #reuses(
    { renews }: OpenOptions,
    source: number,
    path: string,
    read: Map<string, KnownFile>,
  ): boolean {
    if (renews === undefined || !isPart(path)) return false;
    const known = this.#files.get(renews)?.find((file) => file.path === path);
    if (!known || !this.#session.reuseFile(renews, source, path)) return false;
    read.set(`${source} ${path}`, known);
    return true;
  }

  #besideOf({ beside }: OpenOptions): Beside | undefined {
    return (
      beside && {
        from: beside.from,
        paths: new Set(this.#files.get(beside.run)?.map((file) => file.shown)),
      }
    );
  }

  /** Hands one file to the core. What can be read of a damaged one is kept. */
  async #read(
    { source, path, shown, size, pieces }: SourceFile,
    meter: Meter,
  ): Promise<{ size: Bytes; digest: string }> {
    const id = this.#session.addFile(source, path, size);
    let bytes = 0;
    const seen = () => ({ size: bytes, digest: this.#session.digest(id) });
    try {
      for await (const piece of pieces) {
        this.#push(id, piece);
        bytes += piece.length;
        if (!this.#session.wantsMore(id)) break;
        await meter.show(shown, () => understood<FileProgress>(this.#session.progress(id)));
      }
    } catch (problem) {
      understand(this.#session.failFile(id, sentenceOf(problem)));
      return seen();
    }
    understand(this.#session.finishFile(id));
    return seen();
  }

  #push(id: number, piece: Piece): void {
    for (const part of inParts(piece)) {
      this.#session.input().set(part);
      understand(this.#session.push(id, part.length));
      if (!this.#session.wantsMore(id)) return;
    }
  }
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

function givenBy(file: StoredFile, sources: OpenOptions['sources'] = []): Given {
  const { path, store, source, isAlone = !path.includes('/') } = file;
  const { name = '', single } = sources[source ?? -1] ?? {};
  return { path, store, key: String(source ?? ''), above: name, isAlone, isSingle: single };
}

/** Why bytes cannot be had; cancelling and the core's own failures are thrown on. */
export function sentenceOf(problem: unknown): string {
  if (problem instanceof CoreError) throw problem;
  const { name, message } =
    problem instanceof Error ? problem : { name: '', message: String(problem) };
  if (name === 'AbortError') throw problem;
  if (name === 'UnwantedArchive' || name === 'DamagedArchive') return message;
  if (name === 'NotFoundError' || name === 'NotReadableError')
    return 'the browser can no longer read it (moved, changed or deleted?)';
  return `the archive is damaged, cut off or of an unsupported kind (${message})`;
}
