import { batch, computed, signal } from '@preact/signals';
import type { Opened, OpenOptions, Progress, RunId } from '../engine/engine';
import { engine } from './engine';
import { openRuns } from './runs';

/** Where the opening of files stands. */
export type Opening =
  | { kind: 'idle' }
  | { kind: 'collecting'; files: number }
  | { kind: 'waiting' }
  | { kind: 'reading'; progress: Progress | undefined; startedMilliseconds: number }
  | { kind: 'failed'; sentences: string[]; what: string; way?: { label: string; act: () => void } };

export const opening = signal<Opening>({ kind: 'idle' });

/** Files are on their way: what can wait does. */
export const isUnderWay = computed(
  () => opening.value.kind === 'collecting' || opening.value.kind === 'reading',
);

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

/**
 * Folders are walked through: an opening that is under way is given up for what they hold. Returns
 * how to report the files found so far: that is false once the user has cancelled, or has dropped
 * something else, for which this walk was given up.
 */
export function beginCollecting(): (files: number) => boolean {
  const isGoingOn = begin({ kind: 'collecting', files: 0 });
  return (files) => {
    if (isGoingOn()) opening.value = { kind: 'collecting', files };
    return isGoingOn();
  };
}

/** What was under way is given up for this; whether it still is the latest. */
export function begin(next: Opening): () => boolean {
  const mine = new AbortController();
  batch(() => {
    cancelOpening();
    controller = mine;
    opening.value = next;
  });
  return () => controller === mine;
}

/** An opening under way, as whoever does it sees it. */
export interface UnderWay {
  options: OpenOptions;
  /** since it began */
  seconds: () => number;
  /** whether it still is the latest one */
  current: () => boolean;
  /** Takes note of what was opened: of that, whatever is not shown in the end is closed again. */
  made: (opened: Opened) => Opened;
}

/**
 * Runs `work` as the one opening under way: with progress, cancelled by the next, its failure said.
 * True when it succeeded.
 */
export async function underWay(
  what: string,
  work: (opening: UnderWay) => Promise<void>,
): Promise<boolean> {
  controller?.abort();
  const mine = new AbortController();
  controller = mine;
  const startedMilliseconds = performance.now();
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
    const seconds = () => (performance.now() - startedMilliseconds) / 1000;
    await work({ options: { signal: mine.signal, onProgress }, seconds, current, made });
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

function sentencesOf(problem: unknown): string[] {
  const message = problem instanceof Error ? problem.message : String(problem);
  const [first = '', ...rest] = message.split('\n').filter(Boolean);
  // the card's own title says as much as the line above a list
  return first.endsWith(':') && rest.length > 0 ? rest : [first, ...rest];
}
