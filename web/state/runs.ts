import { batch, computed, signal } from '@preact/signals';
import type { Contents } from '../engine/contents';
import type { DataNote, InputFile, OpenOptions, RunId, Seconds } from '../engine/engine';
import { type Row, rowsOf, type Table } from '../engine/table';
import { askAgain } from './answers';
import { engine } from './engine';
import { plainFlame, setFlame } from './flame';
import { forgetAnswers } from './keptAnswers';
import { chooseProcessor, processorOf } from './processor';
import { clearSelection } from './selection';

/** Where a run came from, kept so that files can be added to it: handles, not contents. */
export interface Origin {
  files: InputFile[];
  urls: string[];
  /** the URLs of a run that files were added to: by now it is made of files */
  addresses?: string[];
  /** what the sources of its files are called */
  sources?: OpenOptions['sources'];
  /** the files as they are by now, where the folder that was dropped can be walked through again */
  filesAgain?: () => Promise<InputFile[]>;
  /** the files are part of this page, which is a report */
  enclosed?: boolean;
}

/**
 * What the page knows of an open run without asking again: its row of the question `runs`. Its
 * title has as many of the folders above it as tell it from the others that are open.
 */
export interface OpenRun extends Row<'runs'> {
  id: RunId;
  /** that its opening took */
  readSeconds: Seconds;
  /** about files of the same opening that belong to no run */
  strayNotes: DataNote[];
  origin: Origin;
  /** by which it is known when it is opened again */
  contents: Contents;
  /** files of it that could be read in part only */
  partialNotes: DataNote[];
}

export const openRuns = signal<OpenRun[]>([]);
/** The URLs that a run came from: a permalink can name them, local files it cannot. */
export const urlsOf = ({ origin }: OpenRun): string[] => origin.addresses ?? origin.urls;
export const openedUrls = computed(() => [...new Set(openRuns.value.flatMap(urlsOf))]);
export const activeRunId = signal<RunId | undefined>(undefined);
export const activeRun = computed(() => openRuns.value.find((run) => run.id === activeRunId.value));

/** What is said of a run that is being recorded may change. */
export const soFar = computed(() => (activeRun.value?.running === 1 ? ' so far' : ''));
/** In place of a number that is not there. */
export const absentText = computed(() => (soFar.value ? 'not known yet' : 'not recorded'));

/** Damaged runs whose reader wants to see what was read all the same. */
export const acceptedPartial = signal<ReadonlySet<RunId>>(new Set());

export function acceptDamage(id: RunId): void {
  acceptedPartial.value = new Set([...acceptedPartial.value, id]);
}

/** What to forget when another run is shown. */
const ownToRun: (() => void)[] = [
  clearSelection,
  () => setFlame({ profile: plainFlame.profile, selected: '', begin: 0, end: 1 }),
];

/** Seconds, names and boxes of one run mean nothing in another: `forget` is called when that is shown. */
export function forgetWithRun(forget: () => void): void {
  ownToRun.push(forget);
}

function show(id: RunId | undefined): void {
  if (id === activeRunId.value) return;
  batch(() => {
    activeRunId.value = id;
    for (const forget of ownToRun) forget();
  });
}

export const showRun = (id: RunId): void => show(id);

export async function closeRun(id: RunId): Promise<void> {
  const rest = openRuns.value.filter((run) => run.id !== id);
  batch(() => {
    openRuns.value = rest;
    if (activeRunId.value === id) show(rest[rest.length - 1]?.id);
  });
  forgetAnswers(id);
  await engine().close(id);
  await renameRuns();
}

/**
 * Puts `fresh` in the place of the run `id`, which is closed. It is the same run: what was chosen of
 * it, and how it is looked at, stays.
 */
export async function replaceRun(id: RunId, fresh: OpenRun): Promise<void> {
  batch(() => {
    openRuns.value = openRuns.value.map((run) => (run.id === id ? fresh : run));
    chooseProcessor(fresh.id, processorOf(id));
    if (acceptedPartial.value.has(id)) acceptDamage(fresh.id);
    if (activeRunId.value === id) activeRunId.value = fresh.id;
  });
  forgetAnswers(id);
  await engine().close(id);
  await renameRuns();
}

/**
 * Takes over the titles that the core gives to the runs that are open now: they depend on which
 * these are.
 */
async function renameRuns(): Promise<void> {
  const ids = openRuns.peek().map((run) => run.id);
  if (ids.length === 0) return;
  // where the core has just stopped there is nothing to be named
  const table = await engine()
    .ask('runs', { runs: ids })
    .catch(() => undefined);
  if (table) retitle(new Map(ids.map((id, row) => [id, table.text('title', row) ?? ''])));
}

/** Answers that have an old title in them are asked for again. */
export function retitle(titles: ReadonlyMap<RunId, string>): void {
  const stale = openRuns.peek().filter((run) => (titles.get(run.id) ?? run.title) !== run.title);
  if (stale.length === 0) return;
  askAgain(
    stale.map(({ id }) => id),
    ['progress', 'rest'],
  );
  openRuns.value = openRuns
    .peek()
    .map((run) => ({ ...run, title: titles.get(run.id) ?? run.title }));
}

/** One entry per row of the `runs` question, asked for `ids` in this order. */
export const runsOfTable = (
  table: Table<'runs'>,
  ids: readonly RunId[],
  opening: Pick<OpenRun, 'readSeconds' | 'strayNotes'>,
): Omit<OpenRun, 'contents' | 'origin' | 'partialNotes'>[] =>
  rowsOf(table).map((row, index) => {
    const id = ids[index] ?? row.run;
    return { ...row, ...opening, id, title: row.title || `run ${id + 1}` };
  });
