import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { at } from './numbers';
import { AxisTitles, PlotGrid } from './PlotGrid';
import { cssColour } from './palette';
import { chartFont, textWidth } from './textWidth';
import { axisTicks, roundedUp } from './ticks';
import { type CssPixels, useSize } from './useSize';

export interface CurvePoint {
  id: string;
  x: number;
  y: number;
  label: string;
  tooltip: () => ComponentChildren;
}

export interface Curve {
  id: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: string;
  dash?: string;
  label?: string;
}

export interface CurveBand {
  x: ArrayLike<number>;
  low: ArrayLike<number>;
  high: ArrayLike<number>;
  colour: string;
}

export interface CurvePlotProps {
  /** both axes begin at zero */
  xEnd: number;
  /** the largest value that has to be seen; curves and bands may leave the plot */
  yEnd: number;
  points: readonly CurvePoint[];
  curves: readonly Curve[];
  band?: CurveBand | undefined;
  /** a level that is wanted, and where a curve reaches it */
  target?: { y: number; label: string; x: number; xLabel: string } | undefined;
  xTitle: string;
  yTitle: string;
  height: CssPixels;
  /** more labels than this would lie over each other: they are on hover only */
  labelsAtMost?: number;
  label: string;
  testId: string;
}

const left: CssPixels = 40;
const right: CssPixels = 10;
const bottom: CssPixels = 34;
const top: CssPixels = 8;
/** From the plot's upper edge to a curve whose name stands above it. */
const labelRoom: CssPixels = 18;

/** Measured points over curves with their band: both axes from zero. */
export function CurvePlot(props: CurvePlotProps) {
  const { xEnd, yEnd, points, curves, band, target, height, labelsAtMost = 40, label, testId } = props;
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const width = Math.max(0, fullWidth - left - right);
  const plot = height - top - bottom;
  const most = roundedUp(yEnd, 4);
  const x = (value: number) => (value / xEnd) * width;
  const y = (value: number) => plot - (value / most) * plot;
  const clip = `${testId}-clip`;
  return (
    <div
      ref={box}
      class="curve-plot"
      role="img"
      aria-label={label}
      data-testid={testId}
      style={{ height: `${height}px` }}
    >
      {width > 0 ? (
        <svg width={fullWidth} height={height} aria-hidden="true">
          <defs>
            <clipPath id={clip}>
              <rect x={0} y={0} width={width} height={plot} />
            </clipPath>
          </defs>
          <g transform={`translate(${left} ${top})`}>
            <PlotGrid
              xTicks={axisTicks(0, xEnd, Math.max(2, Math.round(width / 90)))}
              yTicks={axisTicks(0, most, 4)}
              x={x}
              y={y}
              width={width}
              height={plot}
            />
            <g clip-path={`url(#${clip})`}>
              {band ? (
                <path
                  d={bandPath(band)}
                  fill={cssColour(band.colour)}
                  fill-opacity={0.14}
                  data-testid={`${testId}-band`}
                />
              ) : null}
              {curves.map((curve) => (
                <path
                  key={curve.id}
                  class="curve"
                  d={curvePath(curve)}
                  stroke={cssColour(curve.colour)}
                  stroke-dasharray={curve.dash}
                  data-testid={`${testId}-${curve.id}`}
                />
              ))}
            </g>
            {curves.map((curve) =>
              curve.label && curve.x.length > 0 ? (
                <text key={curve.id} class="curve-label" text-anchor="end" {...placeOf(curve, curve.label)}>
                  {curve.label}
                </text>
              ) : null,
            )}
            {target ? (
              <g class="curve-target">
                <path d={`M0 ${y(target.y)}H${width}`} />
                <text x={4} y={y(target.y) - 5}>
                  {target.label}
                </text>
                {Number.isFinite(target.x) ? (
                  <>
                    <path d={`M${x(target.x)} ${y(target.y)}V${plot}`} stroke-dasharray="2 3" />
                    <text x={x(target.x) - 5} y={plot - 6} text-anchor="end">
                      {target.xLabel}
                    </text>
                  </>
                ) : null}
              </g>
            ) : null}
            {points.map((point) => (
              <g key={point.id} class="curve-point" data-testid={`${testId}-point`} {...tooltipOn(point.tooltip)}>
                <circle cx={x(point.x)} cy={y(point.y)} r={5} />
                {points.length <= labelsAtMost ? (
                  <text x={x(point.x) + 8} y={y(point.y) + 15}>
                    {point.label}
                  </text>
                ) : null}
              </g>
            ))}
          </g>
          <AxisTitles left={left} width={width} height={height} x={props.xTitle} y={props.yTitle} />
        </svg>
      ) : null}
    </div>
  );

  function curvePath(curve: Curve): string {
    let path = '';
    for (let i = 0; i < curve.x.length; i += 1) {
      const value = at(curve.y, i);
      if (Number.isFinite(value)) path += `${path ? 'L' : 'M'}${x(at(curve.x, i)).toFixed(1)} ${y(value).toFixed(1)}`;
    }
    return path;
  }

  function bandPath({ x: xs, low, high }: CurveBand): string {
    const there = Array.from({ length: xs.length }, (_, i) => i).filter(
      (i) => Number.isFinite(at(low, i)) && Number.isFinite(at(high, i)),
    );
    if (there.length === 0) return '';
    // far outside nothing is seen, and huge numbers are no path
    const level = (value: number) => Math.max(-plot, Math.min(2 * plot, y(value))).toFixed(1);
    const above = there.map((i) => `${x(at(xs, i)).toFixed(1)} ${level(at(high, i))}`);
    const below = there.reverse().map((i) => `${x(at(xs, i)).toFixed(1)} ${level(at(low, i))}`);
    return `M${above.join('L')}L${below.join('L')}Z`;
  }

  /** Above the curve, up to the last place within the plot that leaves room for the text. */
  function placeOf(curve: Curve, text: string): { x: CssPixels; y: CssPixels } {
    let last = 0;
    for (let i = 0; i < curve.x.length; i += 1) {
      if (y(at(curve.y, i)) >= labelRoom && at(curve.x, i) <= xEnd) last = i;
    }
    const end = x(at(curve.x, last)) - 6;
    const begin = end - textWidth(text, chartFont(11));
    let highest = y(at(curve.y, last));
    for (let i = last; i >= 0 && x(at(curve.x, i)) >= begin; i -= 1) highest = Math.min(highest, y(at(curve.y, i)));
    return { x: end, y: Math.max(12, highest - 6) };
  }
}
