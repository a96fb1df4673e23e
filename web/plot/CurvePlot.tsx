import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { Frame } from './Frame';
import { HatchDefinition } from './HatchDefinition';
import { Band, type BandMark, Clipped, Line, type LineMark } from './marks';
import { at } from './numbers';
import { type Plot, usePlot } from './plot';
import { axisTicks, roundedUp } from './scales';
import { chartFont, textWidth } from './textWidth';
import type { CssPixels } from './useSize';

export interface CurvePoint {
  id: string;
  x: number;
  y: number;
  label: string;
  /** in its place where the plot is narrow */
  brief?: string;
  /** shown, but no part of the curves */
  aside?: boolean;
  tooltip: () => ComponentChildren;
}

export interface Curve extends LineMark {
  id: string;
  label?: string;
}

export interface CurvePlotProps {
  /** both axes begin at zero */
  xEnd: number;
  /** the largest value that has to be seen; curves and bands may leave the plot */
  yEnd: number;
  points: readonly CurvePoint[];
  curves: readonly Curve[];
  band?: BandMark | undefined;
  /** from where on nothing is known */
  unknown?: { from: number; label: string } | undefined;
  /** a level that is wanted, and where a curve reaches it */
  target?: { y: number; label: string; x: number; xLabel: string } | undefined;
  /** a place on the x axis that means something, with what it is called */
  mark?: { x: number; label: string; brief: string } | undefined;
  xTitle: string;
  yTitle: string;
  height: CssPixels;
  /** more labels than this would lie over each other: they are on hover only */
  labelsAtMost?: number;
  label: string;
  testId: string;
}

/** Below, points and marks have their brief labels. */
const narrow: CssPixels = 420;
const margins = { left: 40, right: 10, top: 20, bottom: 34 };
/** From the plot's upper edge to a curve whose name stands above it. */
const labelRoom: CssPixels = 18;

/** Measured points over curves with their band: both axes from zero. */
export function CurvePlot(props: CurvePlotProps) {
  const { points, curves, band, target, mark, labelsAtMost = 40, label, testId } = props;
  const most = roundedUp(props.yEnd, 4);
  const plot = usePlot(
    { lo: 0, hi: props.xEnd, log: false, title: props.xTitle, ticks: 90 },
    { lo: 0, hi: most, log: false, title: props.yTitle, ticks: axisTicks(0, most, 4) },
    props.height,
    margins,
  );
  const { x, y } = plot;
  const isNarrow = plot.width < narrow;
  return (
    <Frame plot={plot} label={label} testId={testId}>
      <Clipped plot={plot}>
        {props.unknown ? (
          <Unknown plot={plot} {...props.unknown} testId={`${testId}-unknown`} />
        ) : null}
        {band ? <Band plot={plot} of={band} testId={`${testId}-band`} /> : null}
        {curves.map((curve) => (
          <Line key={curve.id} plot={plot} of={curve} testId={`${testId}-${curve.id}`} />
        ))}
      </Clipped>
      {curves.map((curve) =>
        curve.label && curve.x.length > 0 ? (
          <text
            key={curve.id}
            class="curve-label"
            text-anchor="end"
            {...placeOf(plot, curve, curve.label)}
          >
            {curve.label}
          </text>
        ) : null,
      )}
      {mark && mark.x <= props.xEnd ? (
        <g class="curve-mark" data-testid={`${testId}-mark`}>
          <path d={`M${x(mark.x)} 0V${plot.height}`} />
          {/* below the curves, which rise to their own labels */}
          <text
            y={plot.height - 6}
            {...besides(plot, mark.x, 5, isNarrow ? mark.brief : mark.label)}
          >
            {isNarrow ? mark.brief : mark.label}
          </text>
        </g>
      ) : null}
      {target ? (
        <g class="curve-target">
          <path d={`M0 ${y(target.y)}H${plot.width}`} />
          <text x={4} y={y(target.y) - 5}>
            {target.label}
          </text>
          {Number.isFinite(target.x) ? (
            <>
              <path d={`M${x(target.x)} ${y(target.y)}V${plot.height}`} stroke-dasharray="2 3" />
              <text x={x(target.x) - 5} y={plot.height - 6} text-anchor="end">
                {target.xLabel}
              </text>
            </>
          ) : null}
        </g>
      ) : null}
      {points.map((point) => (
        <g
          key={point.id}
          class={point.aside ? 'curve-point aside' : 'curve-point'}
          data-testid={`${testId}-point`}
          {...tooltipOn(point.tooltip)}
        >
          <circle cx={x(point.x)} cy={y(point.y)} r={5} />
          {points.length <= labelsAtMost ? (
            <text y={y(point.y) + 16} {...besides(plot, point.x, 8, textOf(point, isNarrow))}>
              {textOf(point, isNarrow)}
            </text>
          ) : null}
        </g>
      ))}
    </Frame>
  );
}

interface UnknownProps {
  plot: Plot;
  from: number;
  label: string;
  testId: string;
}

/** Hatched to the plot's right edge, with its words upright along that edge. */
function Unknown({ plot: { x, width, height }, from, label, testId }: UnknownProps) {
  const left = x(from);
  return (
    <g data-testid={testId}>
      <defs>
        <HatchDefinition id={testId} ground="var(--surface)" ink="var(--line-2)" />
      </defs>
      <rect x={left} width={Math.max(0, width - left)} height={height} fill={`url(#${testId})`} />
      <text class="curve-label" transform={`translate(${width - 8} ${height - 8}) rotate(-90)`}>
        {label}
      </text>
    </g>
  );
}

const textOf = ({ brief, label }: CurvePoint, isNarrow: boolean): string =>
  isNarrow ? (brief ?? label) : label;

/** A text behind a place, or before it where there is no room. */
function besides({ x, width }: Plot, place: number, gap: CssPixels, text: string) {
  return x(place) + gap + textWidth(text, chartFont(11)) > width
    ? { x: x(place) - gap, 'text-anchor': 'end' as const }
    : { x: x(place) + gap };
}

/** Above the curve, up to the last place within the plot that leaves room for the text. */
function placeOf(
  { x, y, width }: Plot,
  curve: Curve,
  text: string,
): { x: CssPixels; y: CssPixels } {
  let last = 0;
  for (let i = 0; i < curve.x.length; i += 1) {
    if (y(at(curve.y, i)) >= labelRoom && x(at(curve.x, i)) <= width) last = i;
  }
  const end = x(at(curve.x, last)) - 6;
  const begin = end - textWidth(text, chartFont(11));
  let highest = y(at(curve.y, last));
  for (let i = last; i >= 0 && x(at(curve.x, i)) >= begin; i -= 1)
    highest = Math.min(highest, y(at(curve.y, i)));
  return { x: end, y: Math.max(12, highest - 6) };
}
