import type { Seconds } from '../engine/engine';
import { choices, flag, mapped, numbers, oneOf, range } from './codecs';
import { linked } from './parameter';
import { forgetWithRun } from './runs';
import type { TimeRange } from './selection';

/** How the Timelines are looked at. */

const forms = ['mean', 'heat', 'lines'] as const;
/** How a quantity of many workers is drawn. */
export type Form = (typeof forms)[number];

export const rowOrders = ['mean', 'first_seen', 'peak', 'name', 'host'] as const;
/** What the rows of a heat map are sorted by. */
export type RowOrder = (typeof rowOrders)[number];

const barColours = ['dataset', 'host', 'rate', 'file'] as const;
/** What colours the bars of chunks; `rate` is seconds per event. */
export type BarColour = (typeof barColours)[number];

/** Chunks on inferred lanes, how many of them run, or the tasks of each worker. */
const barKinds = ['chunks', 'stack', 'tasks'] as const;
export type BarKind = (typeof barKinds)[number];

const foldings = mapped(
  choices(['0', '1']),
  (read): Readonly<Record<string, boolean>> =>
    Object.fromEntries(Object.entries(read).map(([id, is]) => [id, is === '1'])),
  (given) =>
    Object.fromEntries(Object.entries(given).map(([id, is]) => [id, is ? '1' : '0'] as const)),
);

/** The visible time, in seconds: `5~40`; without it, the whole run. */
export const zoom = linked<TimeRange>('z', range('~'));
/** Pinned cursors, at most two, in seconds: `12~20`; two measure the stretch between them. */
export const pins = linked('pin', numbers(2), []);
/** Tracks folded (1) or unfolded (0) by hand: `cpu.1~memory.0`. */
export const folded = linked('fold', foldings, {});
/** How tracks of many workers are drawn: `cpu.heat`. */
export const chosenForms = linked('form', choices(forms), {});
/** What the rows of heat maps are sorted by. */
export const rowOrder = linked('sort', oneOf(rowOrders), 'mean');
/** What the colour of chunks means. */
export const barColour = linked('bars', oneOf(barColours), 'dataset');
/** What the last track shows; without it, what suits the data. */
export const barKind = linked('lanes', oneOf(barKinds));
/** Time of day instead of seconds. */
export const wallClock = linked('clock', flag, false);

/** What links say of it, in the order in which they are written. */
export const ofTimelines = {
  zoom,
  pins,
  folded,
  chosenForms,
  rowOrder,
  barColour,
  barKind,
  wallClock,
};

forgetWithRun(() => {
  zoom.value = zoom.parameter.initial;
  pins.value = pins.parameter.initial;
});

/** Pins a moment: the second pin measures, the third begins anew. */
export function pinAt(moment: Seconds): void {
  const now = pins.peek();
  pins.value = now.length >= 2 ? [moment] : [...now, moment];
}

/** Takes back the last pin; false when there is none. */
export function unpin(): boolean {
  if (pins.peek().length === 0) return false;
  pins.value = pins.peek().slice(0, -1);
  return true;
}
