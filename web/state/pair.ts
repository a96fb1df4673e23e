import { computed, signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import { initial } from './parameters';
import { activeRunId, type OpenRun, openRuns } from './runs';

/** How runs are looked at side by side: what Compare and Scaling show stands in the address. */

/** Chosen by hand; a run that was closed is no choice any more. */
const chosen = signal<{ a?: RunId | undefined; b?: RunId | undefined }>({});
export const per = signal(initial('per'));
/** Undefined: what says most of the two runs. */
export const changeBy = signal(initial('changeBy'));
export const alignment = signal(initial('alignment'));
export const diffWidth = signal(initial('diffWidth'));
/** The rate that is wanted, in the study's unit. */
export const target = signal(initial('target'));
/** Numbers of the summary that the table of runs shows beside those of the study. */
export const runColumns = signal(initial('runColumns'));

export interface Pair {
  /** the baseline */
  a: OpenRun;
  b: OpenRun;
}

/**
 * The two runs that are compared: as chosen; else the earliest is the baseline of the one that is
 * shown.
 */
export const pair = computed((): Pair | undefined => {
  const runs = openRuns.value;
  const open = (id: RunId | undefined) => runs.find((run) => run.id === id);
  // runs of unknown time are as old as they were opened
  const byAge = [...runs].sort((x, y) => x.started_at - y.started_at || 0 || x.id - y.id);
  const a = open(chosen.value.a) ?? byAge.find((run) => run.id !== chosen.value.b);
  if (!a) return undefined;
  const others = [open(chosen.value.b), open(activeRunId.value), ...byAge];
  const b = others.find((run) => run !== undefined && run.id !== a.id);
  return b && { a, b };
});

/** Puts a run on one side; one that is on the other side already changes places with it. */
export function choose(side: 'a' | 'b', id: RunId): void {
  const now = pair.peek();
  const other = side === 'a' ? now?.b.id : now?.a.id;
  const own = side === 'a' ? now?.a.id : now?.b.id;
  const rest = other === id ? own : other;
  chosen.value = side === 'a' ? { a: id, b: rest } : { a: rest, b: id };
}

/** A run was opened anew: it stands on the side of the one that it takes the place of. */
export function takeSide(of: RunId, fresh: RunId): void {
  const { a, b } = chosen.peek();
  chosen.value = { a: a === of ? fresh : a, b: b === of ? fresh : b };
}

export function swap(): void {
  const now = pair.peek();
  if (now) chosen.value = { a: now.b.id, b: now.a.id };
}

/** Where the two chosen runs stand among the open ones; undefined when none was chosen. */
export function chosenPlaces(): readonly [a: number, b: number] | undefined {
  const { a, b } = chosen.value;
  const now = pair.value;
  if (!now || (a === undefined && b === undefined)) return undefined;
  return [openRuns.value.indexOf(now.a), openRuns.value.indexOf(now.b)];
}

/**
 * Chooses the runs at two places; undefined, or a place without a run, leaves the choice to the
 * page.
 */
export function choosePlaces(places: readonly [a: number, b: number] | undefined): void {
  const [a, b] = (places ?? []).map((place) => openRuns.peek()[place]?.id);
  chosen.value = a !== undefined && b !== undefined ? { a, b } : {};
}
