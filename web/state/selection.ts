import { computed, signal } from '@preact/signals';
import type { Seconds, Selection } from '../engine/engine';

export type TimeRange = readonly [begin: Seconds, end: Seconds];

/** What can be selected by name. */
export const listDimensions = ['datasets', 'files', 'hosts', 'workers', 'prefixes'] as const;
export type ListDimension = (typeof listDimensions)[number];

/** Every member of a Selection. */
export const dimensions = ['time', ...listDimensions, 'ranges'] as const;
export type Dimension = (typeof dimensions)[number];

/** The one filter state that all views share, as the engine wants it; {} = everything. */
export const selection = signal<Selection>({});

/** The selected part of the run axis; undefined = the whole run. */
export const timeSelection = computed<TimeRange | undefined>(() => selection.value.time);

/** The selection but for its time: for pictures that have a time axis and show the range on it. */
export const untimedSelection = computed<Selection>(() => without(selection.value, 'time'));

const picked = (from: Selection, ...wanted: readonly Dimension[]): Selection =>
  without(from, ...dimensions.filter((dimension) => !wanted.includes(dimension)));

/**
 * A part of the selection that keeps its identity while it says the same: what else is selected
 * asks nothing again.
 */
function partOf(...wanted: readonly Dimension[]) {
  let last: Selection = {};
  return computed(() => {
    const next = picked(selection.value, ...wanted);
    if (JSON.stringify(next) !== JSON.stringify(last)) last = next;
    return last;
  });
}

/** What narrows series of workers when their time is an axis. */
export const workerSelection = partOf('workers');

/** What narrows the task stream when its time is an axis. */
export const taskSelection = partOf('workers', 'prefixes');

/** What narrows chunks when their time is an axis. */
export const chunkSelection = partOf('workers', 'datasets', 'files', 'hosts', 'ranges');

export const isFiltered = computed(() =>
  dimensions.some((dimension) => selection.value[dimension] !== undefined),
);

/** Replaces all that is selected. */
export function select(next: Selection): void {
  selection.value = tidied(next);
}

export function selectTime(range: TimeRange | undefined): void {
  const rest = untimedSelection.peek();
  selection.value = range ? { ...rest, time: [range[0], range[1]] } : rest;
}

/** Selects `names` of one dimension; none = all of them. */
export function selectNames(dimension: ListDimension, names: readonly string[]): void {
  selection.value = tidied({ ...selection.peek(), [dimension]: [...names] });
}

/** Selects that name alone, or all again when it was alone: what a click on its row does. */
export function toggleName(dimension: ListDimension, name: string): void {
  const now = selection.peek()[dimension];
  selectNames(dimension, now?.length === 1 && now[0] === name ? [] : [name]);
}

export function clearDimension(dimension: Dimension): void {
  selection.value = without(selection.peek(), dimension);
}

export function clearSelection(): void {
  if (isFiltered.peek()) selection.value = {};
}

export function without(from: Selection, ...left: readonly Dimension[]): Selection {
  const rest = { ...from };
  for (const dimension of left) delete rest[dimension];
  return rest;
}

/** Empty lists mean "everything" and are left out, so that no filter is one thing: {}. */
function tidied(from: Selection): Selection {
  return without(
    from,
    ...dimensions.filter((dimension) => {
      const value = from[dimension];
      return value === undefined || value.length === 0;
    }),
  );
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** A Selection from its JSON; what it cannot mean is left out. */
export function parseSelection(json: string): Selection {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return {};
  }
  if (typeof given !== 'object' || given === null) return {};
  const member = (name: string): unknown => (given as Record<string, unknown>)[name];
  const result: Selection = {};
  const time = member('time');
  if (Array.isArray(time) && isNumber(time[0]) && isNumber(time[1]) && time[1] > time[0]) {
    result.time = [time[0], time[1]];
  }
  for (const dimension of listDimensions) {
    const names = member(dimension);
    if (Array.isArray(names)) result[dimension] = names.filter(isText);
  }
  const ranges = member('ranges');
  if (Array.isArray(ranges)) {
    result.ranges = ranges.flatMap((range: unknown) => {
      if (typeof range !== 'object' || range === null) return [];
      const { column, lo, hi } = range as Record<string, unknown>;
      return isText(column) && isNumber(lo) && isNumber(hi) ? [{ column, lo, hi }] : [];
    });
  }
  return tidied(result);
}
