import { computed, signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import { activeRunId, type OpenRun, openRuns } from './runs';

/** How runs are looked at side by side: what Compare and Scaling show stands in the address. */

export const pers = ['absolute', 'million_events', 'share'] as const;
/** In what core-time is compared: as it is, per million events, or as a share of what was available. */
export type Per = (typeof pers)[number];

export const dimensionsOfChange = ['dataset', 'section', 'activity', 'own', 'host', 'frame'] as const;
/** Along what a change is split; the names of the `compare` question's groups. */
export type DimensionOfChange = (typeof dimensionsOfChange)[number];

export const alignments = ['start', 'chunk', 'progress'] as const;
/** What lies above what where two courses are drawn over each other. */
export type Alignment = (typeof alignments)[number];

export const diffWidths = ['a', 'both', 'b'] as const;
/** Of which run the boxes of the differential flame graph are as wide. */
export type DiffWidth = (typeof diffWidths)[number];

/** Chosen by hand; a run that was closed is no choice any more. */
const chosen = signal<{ a?: RunId | undefined; b?: RunId | undefined }>({});
export const per = signal<Per>('absolute');
/** Undefined: what says most of the two runs. */
export const changeBy = signal<DimensionOfChange | undefined>(undefined);
export const alignment = signal<Alignment>('start');
export const diffWidth = signal<DiffWidth>('both');
/** The rate that is wanted, in the study's unit. */
export const target = signal<number | undefined>(undefined);
/** Numbers of the summary that the table of runs shows beside those of the study. */
export const runColumns = signal<readonly string[]>([
  'elapsed_time_seconds',
  'total_events',
  'process_fraction',
  'waiting_fraction',
]);
const columnsAtFirst = runColumns.peek();

export interface Pair {
  /** the baseline */
  a: OpenRun;
  b: OpenRun;
}

/** The two runs that are compared: as chosen; else the earliest is the baseline of the one that is shown. */
export const pair = computed((): Pair | undefined => {
  const runs = openRuns.value;
  const open = (id: RunId | undefined) => runs.find((run) => run.id === id);
  // runs of unknown time are as old as they were opened
  const byAge = [...runs].sort((x, y) => x.startedAt - y.startedAt || 0 || x.id - y.id);
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

const placeOf = (run: OpenRun): number => openRuns.value.indexOf(run);

/** The state as members of a permalink; runs by their places. What is as it is at first is left out. */
export function formatPair(): string[] {
  const parts: string[] = [];
  const { a, b } = chosen.value;
  if (pair.value && (a !== undefined || b !== undefined)) {
    parts.push(`ab=${placeOf(pair.value.a)}~${placeOf(pair.value.b)}`);
  }
  if (per.value !== 'absolute') parts.push(`per=${per.value}`);
  if (changeBy.value) parts.push(`by=${changeBy.value}`);
  if (alignment.value !== 'start') parts.push(`align=${alignment.value}`);
  if (diffWidth.value !== 'both') parts.push(`dw=${diffWidth.value}`);
  if (target.value !== undefined) parts.push(`target=${target.value}`);
  if (runColumns.value !== columnsAtFirst) parts.push(`cols=${runColumns.value.join('~')}`);
  return parts;
}

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | undefined =>
  known.find((entry) => entry === text);

/** Takes over what a permalink says; what it does not say is as at first. */
export function applyPair(parameters: URLSearchParams): void {
  const [a, b] = (parameters.get('ab') ?? '')
    .split('~')
    .map((place) => openRuns.value[/^\d+$/.test(place) ? Number(place) : -1]);
  chosen.value = a && b && a !== b ? { a: a.id, b: b.id } : {};
  per.value = oneOf(pers, parameters.get('per')) ?? 'absolute';
  changeBy.value = oneOf(dimensionsOfChange, parameters.get('by'));
  alignment.value = oneOf(alignments, parameters.get('align')) ?? 'start';
  diffWidth.value = oneOf(diffWidths, parameters.get('dw')) ?? 'both';
  const wanted = Number(parameters.get('target') ?? Number.NaN);
  target.value = wanted > 0 && Number.isFinite(wanted) ? wanted : undefined;
  const columns = parameters.get('cols');
  runColumns.value = columns === null ? columnsAtFirst : columns.split('~').filter((id) => /^\w+$/.test(id));
}
