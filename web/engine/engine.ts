/**
 * The one door between the page and the core. `Engine` is implemented over a worker (browser) and
 * in-process (Node); nobody else knows which. All times are seconds on the run axis unless a name
 * says otherwise.
 */
import type { Contents } from './contents';
import type { QuestionName } from './questions';
import type { Table } from './table';

export type RunId = number;
export type Seconds = number;
export type Bytes = number;

/** What the user is looking at; an absent member means "everything". Mirrors `crema::Selection`. */
export interface Selection {
  time?: [begin: Seconds, end: Seconds];
  workers?: string[];
  datasets?: string[];
  files?: string[];
  hosts?: string[];
  prefixes?: string[];
  ranges?: { column: string; lo: number; hi: number }[];
}

/** One file to open. `path` has '/' between folders ("local-4x1/metrics.json"). */
export interface InputFile {
  path: string;
  data: Blob;
  /**
   * Files of two sources never make one run, whatever they are called; those without one are of the
   * same.
   */
  source?: number | undefined;
  /**
   * It was named itself, and is not part of a folder, though its path has one; without it, what has
   * no folder.
   */
  isAlone?: boolean | undefined;
}

/** Mirrors `crema::DataNote`: a sentence about something doubtful or unusable. */
export interface DataNote {
  id: string;
  severity: 'low' | 'medium' | 'high';
  file: string;
  /** byte offset; absent when unknown */
  offset?: Bytes;
  path: string;
  message: string;
  count: number;
}

export interface Opened {
  runs: RunId[];
  /** of each run, the places of what it was read from among the files or URLs that were given */
  from: number[][];
  /** of each run, by what it is known when it is opened again */
  contents: Contents[];
  /** about files that belong to no run */
  dataNotes: DataNote[];
}

/** How far the core has read one file. */
export interface FileProgress {
  /** what it was recognised as, '' while unknown */
  format: string;
  /** the path of the value being read: `tracking_data.worker_cpu["tcp://…"][12]` */
  where: string;
  /** the numbers roastcoffea stored, as far as they were read; null = not recorded */
  stored: Record<string, number | null>;
}

export interface Progress extends FileProgress {
  loaded: Bytes;
  /** of all files together as they lie on disk */
  total: Bytes;
  /** the file being read */
  file: string;
}

export interface OpenOptions {
  /**
   * What stands before the paths of each source's files ("old" before "run/…"), to tell runs of one
   * name apart, and whether they were given one by one: then they make one run wherever they lie.
   */
  sources?: readonly { name: string; single?: boolean | undefined }[] | undefined;
  /**
   * The files from this place on belong to `run`, which the others are of: they are opened as if
   * they lay beside its own.
   */
  beside?: { run: RunId; from: number } | undefined;
  /**
   * The run that these are the files of, which is being recorded: it is read again, but for the
   * parts that it has, and keeps its id.
   */
  renews?: RunId | undefined;
  onProgress?: (progress: Progress) => void;
  /** Aborting cancels the opening; the promise rejects with an AbortError. */
  signal?: AbortSignal;
}

export interface AskOptions {
  /** default: all open runs, up to what the question takes */
  runs?: RunId[];
  selection?: Selection;
  options?: Record<string, string | number | boolean>;
}

/** A file to be saved. */
export interface Artefact {
  name: string;
  content: Uint8Array;
}

/** Runs that are to leave the page, with where they came from. */
export interface Packing {
  parts: { runs: RunId[]; files: InputFile[]; urls: string[] }[];
  /**
   * Users' names and folders below their homes are hidden, and these words; absent: all stays as it
   * is.
   */
  hide?: string[];
  /** Hidden from alike. */
  text: string;
}

export interface Packed {
  /** those that make up the runs, each packed with gzip */
  files: InputFile[];
  text: string;
}

/** The core said no: `message` is its sentence. */
export class CoreError extends Error {
  override name = 'CoreError';
}

export interface Engine {
  /**
   * Called when the core has crashed and was started anew: what was open is closed. `why` is a
   * sentence.
   */
  onStopped?: ((why: string) => void) | undefined;
  /** Settles once the core can be asked; rejects when it could not be started. */
  ready(): Promise<void>;
  /**
   * Opens files and archives (.zip, .gz); rejects with CoreError when nothing in them can be shown.
   */
  open(files: InputFile[], options?: OpenOptions): Promise<Opened>;
  /** Fetches and opens URLs: a file, a .zip, or a folder's metrics.json. */
  openUrls(urls: string[], options?: OpenOptions): Promise<Opened>;
  ask<Q extends QuestionName>(question: Q, options?: AskOptions): Promise<Table<Q>>;
  export(run: RunId, to: string, options?: Omit<AskOptions, 'runs'>): Promise<Artefact[]>;
  /** The files of runs, as they were opened. */
  pack(packing: Packing): Promise<Packed>;
  close(run: RunId): Promise<void>;
}
