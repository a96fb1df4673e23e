import { batch, signal } from '@preact/signals';
import type { Doubt, InputFile, Opened, OpenOptions, Progress } from '../engine/engine';
import { engine } from './engine';
import { activeRunId, type OpenRun, openRuns, runsOfTable } from './runs';
import { timeSelection } from './selection';
import { type ViewId, view } from './view';

/** Where the opening of files stands. */
export type Opening =
  | { kind: 'idle' }
  | { kind: 'collecting'; files: number }
  | { kind: 'reading'; progress: Progress | undefined; startedMilliseconds: number }
  | { kind: 'failed'; sentences: string[]; what: string };

export const opening = signal<Opening>({ kind: 'idle' });
/** The URLs that were opened: a permalink can name them, local files it cannot. */
export const openedUrls = signal<string[]>([]);

let controller: AbortController | undefined;

export function cancelOpening(): void {
  controller?.abort();
  controller = undefined;
  opening.value = { kind: 'idle' };
}

export function dismissFailure(): void {
  if (opening.value.kind === 'failed') opening.value = { kind: 'idle' };
}

export function failOpening(what: string, sentences: string[]): void {
  opening.value = { kind: 'failed', what, sentences };
}

/** Reports the files found so far while folders are walked through; false once the user has cancelled. */
export function reportCollecting(files: number): boolean {
  if (files === 0) opening.value = { kind: 'collecting', files };
  else if (opening.value.kind === 'collecting') opening.value = { kind: 'collecting', files };
  return opening.value.kind === 'collecting';
}

export async function openFiles(files: InputFile[]): Promise<boolean> {
  if (files.length === 0) {
    failOpening('Nothing to open', ['The drop held no file. Drop a folder, files or a .zip from the file manager.']);
    return false;
  }
  const name = files.length === 1 ? (files[0]?.path ?? '') : `${files.length} files`;
  return await open(name, (options) => engine().open(files, options));
}

export async function openUrls(urls: string[]): Promise<boolean> {
  const opened = await open(urls.join(', '), (options) => engine().openUrls(urls, options));
  if (opened) openedUrls.value = [...openedUrls.value, ...urls.filter((url) => !openedUrls.value.includes(url))];
  return opened;
}

function doubtSentence(doubt: Doubt): string {
  const place = [doubt.path && `in ${doubt.path}`, doubt.offset !== undefined && `at byte ${doubt.offset}`];
  // the core's sentence usually names the file itself
  const named = doubt.file && !doubt.message.startsWith(doubt.file) ? `${doubt.file}: ${doubt.message}` : doubt.message;
  return [named, ...place.filter((part) => part && !named.includes(part))].join(' ');
}

/** Opens, and makes the first new run the active one. What was open stays open, also when this fails. */
async function open(what: string, start: (options: OpenOptions) => Promise<Opened>): Promise<boolean> {
  controller?.abort();
  const mine = new AbortController();
  controller = mine;
  const startedMilliseconds = performance.now();
  opening.value = { kind: 'reading', progress: undefined, startedMilliseconds };
  try {
    const opened = await start({
      signal: mine.signal,
      onProgress: (progress) => {
        if (controller === mine) opening.value = { kind: 'reading', progress, startedMilliseconds };
      },
    });
    if (controller !== mine) return false;
    const readSeconds = (performance.now() - startedMilliseconds) / 1000;
    const sentences = opened.doubts.map(doubtSentence);
    if (opened.runs.length === 0) {
      failOpening(`Nothing to show in ${what}`, sentences);
      return false;
    }
    const table = await engine().ask('runs', { runs: opened.runs });
    if (controller !== mine) return false;
    const fresh: OpenRun[] = runsOfTable(table, opened.runs, { readSeconds, strayDoubts: opened.doubts });
    const firstView = await startingView(fresh[0]);
    if (controller !== mine) return false;
    batch(() => {
      view.value = firstView ?? view.value;
      openRuns.value = [...openRuns.value, ...fresh];
      activeRunId.value = fresh[0]?.id ?? opened.runs[0];
      timeSelection.value = undefined;
      opening.value = { kind: 'idle' };
    });
    return true;
  } catch (problem) {
    if (controller !== mine) return false;
    if (problem instanceof Error && problem.name === 'AbortError') opening.value = { kind: 'idle' };
    else failOpening(`${what} could not be opened`, sentencesOf(problem));
    return false;
  }
}

/** A bundle of call trees alone begins where there is something to see; others leave the view as it is. */
async function startingView(run: OpenRun | undefined): Promise<ViewId | undefined> {
  if (!run || Number.isFinite(run.elapsed) || Number.isFinite(run.startedAt)) return undefined;
  const asked = { runs: [run.id] };
  const [profiles, fine] = await Promise.all([engine().ask('profiles', asked), engine().ask('fine', asked)]);
  return profiles.rows > 0 && fine.rows === 0 ? 'flame' : undefined;
}

function sentencesOf(problem: unknown): string[] {
  const message = problem instanceof Error ? problem.message : String(problem);
  return message.split('\n').filter(Boolean);
}
