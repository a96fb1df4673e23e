import { type Signal, signal } from '@preact/signals';
import { clamp } from './numbers';

export type Range = readonly [begin: number, end: number];

/** A time axis that several plots share: what is visible and where the cursor stands. */
export interface TimeAxis {
  /** the whole axis */
  readonly extent: Signal<Range>;
  /** the visible part */
  readonly visible: Signal<Range>;
  /** undefined when the pointer is elsewhere */
  readonly cursor: Signal<number | undefined>;
}

/** Zooming stops where this share of the axis fills the width. */
const smallestShare = 1e-4;

export function createTimeAxis(begin: number, end: number): TimeAxis {
  return {
    extent: signal<Range>([begin, end]),
    visible: signal<Range>([begin, end]),
    cursor: signal<number | undefined>(undefined),
  };
}

/** The nearest range of the same or a permitted length that lies within `extent`. */
export function within([begin, end]: Range, extent: Range, smallest = smallestShare): Range {
  const whole = extent[1] - extent[0];
  const length = clamp(end - begin, whole * smallest, whole);
  const left = clamp(begin, extent[0], extent[1] - length);
  return [left, left + length];
}

/** What of `range` lies within `extent`; undefined when nothing does. */
export function shared(range: Range, extent: Range): Range | undefined {
  const begin = Math.max(range[0], extent[0]);
  const end = Math.min(range[1], extent[1]);
  return begin < end ? [begin, end] : undefined;
}

/** Zooms by `factor` (> 1 = closer) around `centre`, which stays where it is. */
export function zoomed(
  [begin, end]: Range,
  extent: Range,
  centre: number,
  factor: number,
  smallest = smallestShare,
): Range {
  const length = (end - begin) / factor;
  const whole = extent[1] - extent[0];
  const bounded = clamp(length, whole * smallest, whole);
  const share = (centre - begin) / (end - begin);
  return within([centre - share * bounded, centre + (1 - share) * bounded], extent, smallest);
}

export function panned(
  [begin, end]: Range,
  extent: Range,
  by: number,
  smallest = smallestShare,
): Range {
  return within([begin + by, end + by], extent, smallest);
}

export const isWhole = (visible: Range, extent: Range): boolean =>
  visible[1] - visible[0] >= (extent[1] - extent[0]) * (1 - 1e-9);

/**
 * A position without the digits that no pixel shows while `length` fills the width: it will stand
 * in links.
 */
export const rounded = (position: number, length: number): number =>
  Number(position.toFixed(clamp(Math.ceil(5 - Math.log10(length)), 0, 20)));

/** Wheel turns to a zoom factor: one notch is about a fifth, a touchpad's small steps are small. */
export const wheelFactor = (event: WheelEvent): number =>
  Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.06 : 0.0022));
