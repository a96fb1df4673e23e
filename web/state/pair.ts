import { computed, signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import { number, oneOf, places } from './codecs';
import { linked, parameter } from './parameter';
import { activeRunId, type OpenRun, openRuns } from './runs';

/** How runs are looked at side by side: what Compare and Scaling show stands in the address. */

const pers = ['absolute', 'million_events', 'share'] as const;
/**
 * In what core-time is compared: as it is, per million events, or as a share of what was available.
 */
export type Per = (typeof pers)[number];

export const dimensionsOfChange = ['section', 'own', 'dataset', 'host'] as const;
/** Along what a change is split; the names of the `compare` question's groups. */
export type DimensionOfChange = (typeof dimensionsOfChange)[number];

const diffWidths = ['a', 'both', 'b'] as const;
/** Of which run the boxes of the differential flame graph are as wide. */
export type DiffWidth = (typeof diffWidths)[number];

/** Chosen by hand; a run that was closed is no choice any more. */
const chosen = signal<{ a?: RunId | undefined; b?: RunId | undefined }>({});
/** Further runs of either side, as they were ticked. */
const replicates = signal<Readonly<Record<Side, readonly RunId[]>>>({ a: [], b: [] });
export type Side = 'a' | 'b';

export interface Pair {
  /** the baseline */
  a: OpenRun;
  b: OpenRun;
  /** all runs of a side, the one above first */
  runs: Readonly<Record<Side, readonly OpenRun[]>>;
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
  if (!b) return undefined;
  const more = (side: Side) =>
    runs.filter(({ id }) => replicates.value[side].includes(id) && id !== a.id && id !== b.id);
  return { a, b, runs: { a: [a, ...more('a')], b: [b, ...more('b')] } };
});

/** The runs of both sides as the core's comparing questions take them. */
export const runsOf = ({ runs }: Pair): RunId[] => [...runs.a, ...runs.b].map(({ id }) => id);

/** How many of them are A. */
export const sidesOption = ({ runs }: Pair): { runs_of_a: number } => ({
  runs_of_a: runs.a.length,
});

/** Makes a run a replicate of a side, or none any more; it is of one side at a time. */
export function toggleReplicate(side: Side, id: RunId): void {
  const now = replicates.peek();
  const other = side === 'a' ? 'b' : 'a';
  const without = (ids: readonly RunId[]) => ids.filter((one) => one !== id);
  const was = now[side].includes(id);
  replicates.value = {
    ...now,
    [side]: was ? without(now[side]) : [...now[side], id],
    [other]: without(now[other]),
  };
}

/** Puts a run on one side; one that is on the other side already changes places with it. */
export function choose(side: Side, id: RunId): void {
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
  const renewed = (ids: readonly RunId[]) => ids.map((id) => (id === of ? fresh : id));
  const now = replicates.peek();
  replicates.value = { a: renewed(now.a), b: renewed(now.b) };
}

export function swap(): void {
  const now = pair.peek();
  if (!now) return;
  chosen.value = { a: now.b.id, b: now.a.id };
  const { a, b } = replicates.peek();
  replicates.value = { a: b, b: a };
}

/** Where the chosen runs stand among the open ones; undefined when none was chosen. */
export function chosenPlaces(): readonly [a: readonly number[], b: readonly number[]] | undefined {
  const { a, b } = chosen.value;
  const now = pair.value;
  if (!now) return undefined;
  const isPlain = now.runs.a.length === 1 && now.runs.b.length === 1;
  if (a === undefined && b === undefined && isPlain) return undefined;
  const places = (side: Side) => now.runs[side].map((run) => openRuns.value.indexOf(run));
  return [places('a'), places('b')];
}

/**
 * Chooses the runs at these places, the first of a side as the one that leads it; undefined, or a
 * place without a run, leaves the choice to the page.
 */
export function choosePlaces(
  places: readonly [a: readonly number[], b: readonly number[]] | undefined,
): void {
  const [a = [], b = []] = (places ?? []).map((side) =>
    side.map((place) => openRuns.peek()[place]?.id),
  );
  const open = (ids: readonly (RunId | undefined)[]) => ids.filter((id) => id !== undefined);
  chosen.value = a[0] !== undefined && b[0] !== undefined ? { a: a[0], b: b[0] } : {};
  replicates.value = { a: open(a.slice(1)), b: open(b.slice(1)) };
}

type Places = ReturnType<typeof chosenPlaces>;

/** The two runs that are compared, by their numbers from 0, with replicates of either: `0~2`, `0-1~2-3`. */
export const sides = parameter<Places, NonNullable<Places>>('ab', places, {
  initial: undefined,
  get: chosenPlaces,
  set: choosePlaces,
  placed: (given, placeHere) => given && [given[0].map(placeHere), given[1].map(placeHere)],
});
/** In what core-time is compared. */
export const per = linked('per', oneOf(pers), 'absolute');
/** What the change is split by; without it, by what says most. */
export const changeBy = linked('by', oneOf(dimensionsOfChange));
/** Which run gives the boxes their width. */
export const diffWidth = linked('dw', oneOf(diffWidths), 'both');
/** The rate that is wanted, in the unit of the study. */
export const target = linked(
  'target',
  number((value) => value > 0),
);

/** What links say of runs side by side, in the order in which they are written. */
export const ofRuns = {
  sides,
  per,
  changeBy,
  diffWidth,
  target,
};
