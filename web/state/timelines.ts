import { effect, signal } from '@preact/signals';
import type { Seconds } from '../engine/engine';
import { activeRunId } from './runs';
import type { TimeRange } from './selection';

/** How the Timelines are looked at: all of it stands in the address. */

export const forms = ['mean', 'heat', 'lines'] as const;
/** How a quantity of many workers is drawn. */
export type Form = (typeof forms)[number];

export const rowOrders = ['mean', 'first_seen', 'peak', 'name', 'host'] as const;
/** What the rows of a heat map are sorted by. */
export type RowOrder = (typeof rowOrders)[number];

export const barColours = ['dataset', 'host', 'rate', 'file'] as const;
/** What colours the bars of chunks; `rate` is seconds per event. */
export type BarColour = (typeof barColours)[number];

export const barKinds = ['chunks', 'stack', 'tasks'] as const;
/** Chunks on inferred lanes, how many of them run, or the recorded task stream. */
export type BarKind = (typeof barKinds)[number];

/** The visible part of the run axis; undefined = all of it. */
export const zoom = signal<TimeRange | undefined>(undefined);
/** Pinned cursors, at most two: the stretch between two is measured. */
export const pins = signal<readonly Seconds[]>([]);
/** Tracks that were folded (true) or unfolded by hand. */
export const folded = signal<Readonly<Record<string, boolean>>>({});
/** Forms that were chosen by hand. */
export const chosenForms = signal<Readonly<Record<string, Form>>>({});
export const rowOrder = signal<RowOrder>('mean');
export const barColour = signal<BarColour>('dataset');
/** Undefined: what suits the data. */
export const barKind = signal<BarKind | undefined>(undefined);
/** Time of day by the scheduler's clock instead of seconds since the start. */
export const wallClock = signal(false);

// seconds of one run mean nothing in another
effect(() => {
  activeRunId.value;
  zoom.value = undefined;
  pins.value = [];
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

const short = (seconds: Seconds): string => String(Number(seconds.toFixed(3)));
const pairs = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map(([id, value]) => `${id}.${value}`)
    .join('~');

/** The state as members of a permalink. What is as it is at first is left out. */
export function formatTimelines(): string[] {
  const parts: string[] = [];
  if (zoom.value) parts.push(`z=${zoom.value.map(short).join('~')}`);
  if (pins.value.length > 0) parts.push(`pin=${pins.value.map(short).join('~')}`);
  const byHand = Object.entries(folded.value).map(([id, is]) => [id, is ? '1' : '0']);
  if (byHand.length > 0) parts.push(`fold=${pairs(Object.fromEntries(byHand) as Record<string, string>)}`);
  if (Object.keys(chosenForms.value).length > 0) parts.push(`form=${pairs(chosenForms.value)}`);
  if (rowOrder.value !== 'mean') parts.push(`sort=${rowOrder.value}`);
  if (barColour.value !== 'dataset') parts.push(`bars=${barColour.value}`);
  if (barKind.value) parts.push(`lanes=${barKind.value}`);
  if (wallClock.value) parts.push('clock');
  return parts;
}

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | undefined =>
  known.find((entry) => entry === text);

function numbersOf(text: string | null): number[] {
  return (text ?? '')
    .split('~')
    .filter((part) => /^-?[\d.]+$/.test(part))
    .map(Number)
    .filter(Number.isFinite);
}

function recordOf<T extends string>(text: string | null, known: readonly T[]): Record<string, T> {
  const record: Record<string, T> = {};
  for (const pair of (text ?? '').split('~')) {
    const [id = '', value = ''] = pair.split('.');
    const understood = oneOf(known, value);
    if (/^[\w-]+$/.test(id) && understood) record[id] = understood;
  }
  return record;
}

/** Takes over what a permalink says of the Timelines; what it does not say is as at first. */
export function applyTimelines(parameters: URLSearchParams): void {
  const [begin = Number.NaN, end = Number.NaN] = numbersOf(parameters.get('z'));
  zoom.value = end > begin ? [begin, end] : undefined;
  pins.value = numbersOf(parameters.get('pin')).slice(0, 2);
  const byHand = Object.entries(recordOf(parameters.get('fold'), ['0', '1'])).map(([id, is]) => [id, is === '1']);
  folded.value = Object.fromEntries(byHand) as Record<string, boolean>;
  chosenForms.value = recordOf(parameters.get('form'), forms);
  rowOrder.value = oneOf(rowOrders, parameters.get('sort')) ?? 'mean';
  barColour.value = oneOf(barColours, parameters.get('bars')) ?? 'dataset';
  barKind.value = oneOf(barKinds, parameters.get('lanes'));
  wallClock.value = parameters.has('clock');
}
