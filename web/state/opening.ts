import { batch, signal } from '@preact/signals';
import { fetchFiles } from '../engine/downloads';
import {
  CoreError,
  type Doubt,
  type InputFile,
  type Opened,
  type OpenOptions,
  type Progress,
  type RunId,
} from '../engine/engine';
import type { Table } from '../engine/table';
import { dateTime } from '../plot/format';
import { askAhead } from './ahead';
import { answerOf } from './answers';
import { doubtsOf } from './doubts';
import { engine } from './engine';
import { mayConnect } from './oneFile';
import { takeSide } from './pair';
import { rememberRuns } from './recents';
import { activeRunId, type OpenRun, type Origin, openRuns, replaceRun, runsOfTable } from './runs';
import { clearSelection } from './selection';
import { type ViewId, view } from './view';

/** Where the opening of files stands. */
export type Opening =
  | { kind: 'idle' }
  | { kind: 'collecting'; files: number }
  | { kind: 'reading'; progress: Progress | undefined; startedMilliseconds: number }
  | { kind: 'failed'; sentences: string[]; what: string };

export const opening = signal<Opening>({ kind: 'idle' });

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
  return await open(name, { files, urls: [] }, (options) => engine().open(files, options));
}

export async function openUrls(urls: string[]): Promise<boolean> {
  const origin = { files: [], urls };
  if (!mayConnect()) {
    const where = 'this page is one file, whose own policy forbids it the network';
    failOpening(`${urls.join(', ')} could not be opened`, [`${where}: download what is meant, and open it here`]);
    return false;
  }
  return await open(urls.join(', '), origin, (options) => engine().openUrls(urls, options));
}

/** Opens what a report carries. */
export async function openEnclosed(files: InputFile[]): Promise<boolean> {
  const origin = { files, urls: [], enclosed: true };
  return await open('The runs in this report', origin, (options) => engine().open(files, options));
}

/** Opens what another page sent: the runs, and sentences about what could not be used. Throws a sentence when nothing could. */
export async function openForHost(files: InputFile[]): Promise<{ runs: OpenRun[]; notes: string[] }> {
  const before = openRuns.peek();
  if (!(await openFiles(files))) {
    const now = opening.peek();
    throw new CoreError(now.kind === 'failed' ? now.sentences.join('\n') : 'the opening was cancelled');
  }
  const runs = openRuns.peek().filter((run) => !before.includes(run));
  const doubts = [...(runs[0]?.strayDoubts ?? []), ...runs.flatMap((run) => run.damage)];
  return { runs, notes: doubts.map(doubtSentence) };
}

function doubtSentence(doubt: Doubt): string {
  const place = [doubt.path && `in ${doubt.path}`, doubt.offset !== undefined && `at byte ${doubt.offset}`];
  // the core's sentence usually names the file itself
  const named = doubt.file && !doubt.message.startsWith(doubt.file) ? `${doubt.file}: ${doubt.message}` : doubt.message;
  return [named, ...place.filter((part) => part && !named.includes(part))].join(' ');
}

/** Opens, and makes the first new run the active one. What was open stays open, also when this fails. */
async function open(what: string, origin: Origin, start: (options: OpenOptions) => Promise<Opened>): Promise<boolean> {
  return await underWay(what, async ({ options, current, made }) => {
    const opened = made(await start(options));
    const reading = read(what, origin, opened, options);
    askAhead(opened.runs, view.value);
    const fresh = await reading;
    const firstView = fresh.length > 1 ? together(fresh.length) : await startingView(fresh[0]);
    if (!current()) return;
    if (firstView) askAhead(opened.runs, firstView);
    batch(() => {
      view.value = firstView ?? view.value;
      openRuns.value = [...openRuns.value, ...fresh];
      activeRunId.value = fresh[0]?.id;
      clearSelection();
      opening.value = { kind: 'idle' };
    });
    const [url] = origin.urls;
    // a report is its own way back
    if (origin.enclosed) return;
    rememberRuns(
      fresh.map(({ title, startedNaive, startedAt }) => ({
        title,
        started: dateTime(Number.isFinite(startedNaive) ? startedNaive : startedAt),
        ...(url ? { url } : {}),
      })),
    );
  });
}

/**
 * Opens the files of `run` together with `added` and shows the result in its place. The core joins the files of one folder:
 * the new ones are put where the run's own lie.
 */
export async function addToRun(run: OpenRun, added: readonly InputFile[]): Promise<boolean> {
  const what = added.length === 1 ? (added[0]?.path ?? '') : `${added.length} files`;
  return await underWay(what, async ({ options, current, made }) => {
    const own = [...run.origin.files, ...(await fetchFiles(run.origin.urls, options.signal))];
    const sources = await engine().ask('sources', { runs: [run.id] });
    const folder = folderOf(sources.rows > 0 ? (sources.text('file', 0) ?? '') : '');
    const placed = added.map(({ path, data }) => ({ path: folder + path.slice(path.lastIndexOf('/') + 1), data }));
    const files = [...own, ...placed];
    const opened = made(await engine().open(files, options));
    const addresses = run.origin.addresses ?? run.origin.urls;
    const fresh = await read(what, { files, urls: [], addresses }, opened, options);
    // an archive of several runs brings the others along: they are open already, and these are closed again
    const grown = await runWithFile(fresh, placed[0]?.path ?? '');
    if (!current()) return;
    takeSide(run.id, grown.id);
    await replaceRun(run.id, grown);
    opening.value = { kind: 'idle' };
  });
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

async function runWithFile(runs: readonly OpenRun[], path: string): Promise<OpenRun> {
  const name = path.replace(/\.(gz|zip)$/i, '');
  for (const run of runs) {
    const sources = await engine().ask('sources', { runs: [run.id] });
    if (sources.rowOf('file', name) >= 0 || sources.rowOf('file', path) >= 0) return run;
  }
  const [first] = runs;
  if (!first) throw new CoreError('the files hold no run any more');
  return first;
}

/** What the page wants to know of runs that were just opened. Throws when there are none. */
async function read(what: string, origin: Origin, opened: Opened, options: OpenOptions): Promise<OpenRun[]> {
  const readSeconds = (performance.now() - startedMilliseconds) / 1000;
  if (opened.runs.length === 0)
    throw new CoreError(opened.doubts.map(doubtSentence).join('\n') || `nothing in ${what}`);
  const [table, ...qualities] = await Promise.all([
    engine().ask('runs', { runs: opened.runs }),
    ...opened.runs.map((run) => answerOf(run, 'quality')),
  ]);
  const fresh = runsOfTable(table, opened.runs, { readSeconds, strayDoubts: opened.doubts, origin });
  options.signal?.throwIfAborted();
  return fresh.map((run, index) => {
    const quality = qualities[index];
    return quality ? { ...run, damage: damageOf(quality) } : run;
  });
}

/** What is grave about a file, not about its numbers: part of it could not be read. */
const damageOf = (quality: Table): Doubt[] =>
  doubtsOf(quality).filter((doubt) => doubt.severity === 'high' && doubt.file !== '');

let startedMilliseconds = 0;

/** An opening under way, as whoever does it sees it. */
interface UnderWay {
  options: OpenOptions;
  /** whether it still is the latest one */
  current: () => boolean;
  /** Takes note of what was opened: of that, whatever is not shown in the end is closed again. */
  made: (opened: Opened) => Opened;
}

/** Runs `work` as the one opening under way: with progress, cancelled by the next, its failure said. True when it succeeded. */
async function underWay(what: string, work: (opening: UnderWay) => Promise<void>): Promise<boolean> {
  controller?.abort();
  const mine = new AbortController();
  controller = mine;
  startedMilliseconds = performance.now();
  opening.value = { kind: 'reading', progress: undefined, startedMilliseconds };
  const current = () => controller === mine;
  const opened: RunId[] = [];
  const made = (one: Opened) => {
    opened.push(...one.runs);
    return one;
  };
  try {
    const onProgress = (progress: Progress) => {
      if (current()) opening.value = { kind: 'reading', progress, startedMilliseconds };
    };
    await work({ options: { signal: mine.signal, onProgress }, current, made });
    return current();
  } catch (problem) {
    if (!current()) return false;
    if (problem instanceof Error && problem.name === 'AbortError') opening.value = { kind: 'idle' };
    else failOpening(`${what} could not be opened`, sentencesOf(problem));
    return false;
  } finally {
    const unseen = opened.filter((id) => !openRuns.peek().some((run) => run.id === id));
    for (const id of unseen) engine().close(id).catch(ignored);
  }
}

/** A core that has stopped holds no runs. */
const ignored = () => undefined;

/** Runs that come together are to be seen together. */
const together = (runs: number): ViewId => (runs === 2 ? 'compare' : 'scaling');

/** A bundle of call trees alone begins where there is something to see; others leave the view as it is. */
async function startingView(run: OpenRun | undefined): Promise<ViewId | undefined> {
  if (!run || view.value === 'flame' || Number.isFinite(run.elapsed) || Number.isFinite(run.startedAt))
    return undefined;
  const [profiles, fine] = await Promise.all([answerOf(run.id, 'profiles'), answerOf(run.id, 'fine')]);
  return profiles.rows > 0 && fine.rows === 0 ? 'flame' : undefined;
}

function sentencesOf(problem: unknown): string[] {
  const message = problem instanceof Error ? problem.message : String(problem);
  const [first = '', ...rest] = message.split('\n').filter(Boolean);
  // the card's own title says as much as the line above a list
  return first.endsWith(':') && rest.length > 0 ? rest : [first, ...rest];
}
