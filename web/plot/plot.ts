import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Scale, scaleOf, type Tick, ticksOf, type ValueAxis } from './scales';
import { type CssPixels, useSize } from './useSize';

/** One side of a plot. */
export interface PlotAxis extends ValueAxis {
  /** with the unit that is shown; stands at the upper end of y, and at the right end of x */
  title: string;
  /** from the values' unit to the shown one */
  factor?: number | undefined;
  /** pixels from one tick to the next, about, or the ticks themselves */
  ticks: CssPixels | readonly Tick[];
  /** another label for a tick */
  tickText?: ((value: number) => string) | undefined;
}

export interface Margins {
  left: CssPixels;
  right: CssPixels;
  top: CssPixels;
  bottom: CssPixels;
}

/** What marks are drawn with: scales to pixels from the plot's upper left corner. */
export interface Plot {
  x: Scale;
  y: Scale;
  width: CssPixels;
  height: CssPixels;
  xTicks: readonly Tick[];
  yTicks: readonly Tick[];
  xTitle: string;
  yTitle: string;
  margins: Margins;
  /** the element that the plot fills */
  box: RefObject<HTMLDivElement | null>;
}

/**
 * Scales as wide as there is room, followed as that changes; one and the same plot until it does.
 * `height` is that of all, with the margins, which may depend on the whole width.
 */
export function usePlot(
  x: PlotAxis,
  y: PlotAxis,
  height: CssPixels,
  margins: Margins | ((fullWidth: CssPixels) => Margins),
): Plot {
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const around = typeof margins === 'function' ? margins(fullWidth) : margins;
  const width = Math.max(0, fullWidth - around.left - around.right);
  const inner = height - around.top - around.bottom;
  return useMemo(
    () => ({
      x: scaleOf(x, 0, width),
      y: scaleOf(y, inner, 0),
      width,
      height: inner,
      xTicks: ticksAlong(x, width),
      yTicks: ticksAlong(y, inner),
      xTitle: x.title,
      yTitle: y.title,
      margins: around,
      box,
    }),
    [width, inner, ...partsOf(x), ...partsOf(y)],
  );
}

/** Where a place of the plot is in the window: what keys go to has its tooltip there. */
export function windowPlace(
  { box, margins }: Plot,
  x: CssPixels,
  y: CssPixels,
): [clientX: CssPixels, clientY: CssPixels] | undefined {
  const area = box.current?.getBoundingClientRect();
  return area && [area.left + margins.left + x, area.top + margins.top + y];
}

/** What the look of an axis depends on. */
const partsOf = ({ lo, hi, log, factor, title, ticks }: PlotAxis) => [
  ...[lo, hi, log, factor, title],
  typeof ticks === 'number' ? ticks : ticks.map((tick) => `${tick.value} ${tick.label}`).join(),
];

function ticksAlong(axis: PlotAxis, length: CssPixels): readonly Tick[] {
  const { ticks, tickText, factor = 1 } = axis;
  const found = typeof ticks === 'number' ? ticksOf(axis, length, factor, ticks) : ticks;
  return tickText ? found.map(({ value }) => ({ value, label: tickText(value) })) : found;
}
