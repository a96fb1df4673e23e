/**
 * Marks of few parts, as SVG: functions of a plot's scales and of columns. Those of thousands are
 * drawn on canvas.
 */
import { area, line } from 'd3-shape';
import type { ComponentChildren } from 'preact';
import { at, clamp } from './numbers';
import type { Drag } from './PlotSurface';
import { cssColour } from './palette';
import type { Plot } from './plot';
import type { CssPixels } from './useSize';

export interface LineMark {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: string;
  dash?: string | undefined;
}

const isThere = (value: number): boolean => Number.isFinite(value);

/** Straight from point to point; what is missing leaves a gap. */
export function Line({ plot, of, testId }: { plot: Plot; of: LineMark; testId?: string }) {
  const path = line<number>()
    .defined((i) => isThere(at(of.y, i)))
    .x((i) => plot.x(at(of.x, i)))
    .y((i) => within(plot, plot.y(at(of.y, i))))(places(of.x));
  return (
    <path
      class="mark-line"
      d={path ?? ''}
      stroke={cssColour(of.colour)}
      stroke-dasharray={of.dash}
      data-testid={testId}
    />
  );
}

export interface BandMark {
  x: ArrayLike<number>;
  low: ArrayLike<number>;
  high: ArrayLike<number>;
  colour: string;
}

/** From the low to the high values. */
export function Band({ plot, of, testId }: { plot: Plot; of: BandMark; testId?: string }) {
  const path = area<number>()
    .defined((i) => isThere(at(of.low, i)) && isThere(at(of.high, i)))
    .x((i) => plot.x(at(of.x, i)))
    .y0((i) => within(plot, plot.y(at(of.low, i))))
    .y1((i) => within(plot, plot.y(at(of.high, i))))(places(of.x));
  return <path class="mark-band" d={path ?? ''} fill={cssColour(of.colour)} data-testid={testId} />;
}

/** Far outside nothing is seen, and huge numbers are no path. */
const within = ({ height }: Plot, y: CssPixels): CssPixels => clamp(y, -height, 2 * height);

const places = (values: ArrayLike<number>): number[] =>
  Array.from({ length: values.length }, (_, i) => i);

/** A level across the plot, or a moment down it. */
export function Rule({
  plot,
  x,
  y,
  dash,
}: {
  plot: Plot;
  x?: number;
  y?: number;
  dash?: string | undefined;
}) {
  const d =
    x === undefined ? `M0 ${plot.y(y ?? 0)}H${plot.width}` : `M${plot.x(x)} 0V${plot.height}`;
  return <path class="mark-rule" stroke-dasharray={dash} d={d} />;
}

export interface BarsMark {
  lo: ArrayLike<number>;
  hi: ArrayLike<number>;
  /** where each begins, and how much it is */
  below: ArrayLike<number>;
  amount: ArrayLike<number>;
  colour: string;
}

/**
 * Upright bars from one edge to the next; wide ones are kept apart. What is small among thousands
 * still is there.
 */
export function Bars({ plot, of }: { plot: Plot; of: BarsMark }) {
  return (
    <g style={{ fill: cssColour(of.colour) }}>
      {places(of.lo).map((i) => {
        if (!(at(of.amount, i) > 0)) return null;
        const left = plot.x(at(of.lo, i));
        const width = Math.max(1, plot.x(at(of.hi, i)) - left);
        const top = plot.y(at(of.below, i) + at(of.amount, i));
        const height = Math.max(1, plot.y(at(of.below, i)) - top);
        return (
          <rect key={i} x={left} y={top} width={width > 4 ? width - 1 : width} height={height} />
        );
      })}
    </g>
  );
}

/** The rectangle that is selected, or being dragged over. */
export const Selected = ({ x0, y0, x1, y1 }: Drag) => (
  <rect
    class="plot-selected"
    x={x0}
    y={y0}
    width={Math.max(0, x1 - x0)}
    height={Math.max(0, y1 - y0)}
  />
);

/**
 * What reaches beyond the plot is not seen: on the page by its style, which style sheets do not
 * outweigh, and in a saved picture.
 */
export function Clipped({ plot, children }: { plot: Plot; children: ComponentChildren }) {
  return (
    <svg
      width={plot.width}
      height={plot.height}
      overflow="hidden"
      style={{ overflow: 'hidden' }}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
