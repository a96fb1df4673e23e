import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { hideTooltip, pinTooltip, showTooltip } from '../ui/tooltip';
import { densityAbove, drawScatter, type Places, type Points, placePoints } from './drawScatter';
import { Frame } from './Frame';
import { significant } from './format';
import { Selected } from './marks';
import { indexPoints, type PointIndex } from './nearest';
import { clamp } from './numbers';
import { clickPixels, type Drag } from './PlotSurface';
import { type Plot, usePlot, windowPlace } from './plot';
import { type FitLine, ScatterLines } from './ScatterLines';
import { axisOf, type Scale } from './scales';
import type { CssPixels } from './useSize';

export interface ScatterAxis {
  /** with the unit that is shown */
  title: string;
  /** from the values' unit to the shown one */
  factor: number;
  log: boolean;
  /** of what stands at 0, 1, 2, … where the axis is one of names */
  names?: readonly string[];
}

/** A rectangle in the values' own units. */
export interface Rectangle {
  x: readonly [lo: number, hi: number];
  y: readonly [lo: number, hi: number];
}

export interface ScatterPlotProps {
  points: Points;
  xAxis: ScatterAxis;
  yAxis: ScatterAxis;
  height: CssPixels;
  lines?: readonly FitLine[];
  /** lines through zero: y = slope x x */
  guides?: readonly FitLine[];
  /** the point that is marked */
  marked?: number | undefined;
  onMark: (index: number | undefined) => void;
  tooltip: (index: number) => ComponentChildren;
  selected: Rectangle | undefined;
  /** after a drag; undefined = cleared by a click outside */
  onSelect: (rectangle: Rectangle | undefined) => void;
  label: string;
  testId: string;
}

const margins = { left: 46, right: 12, top: 20, bottom: 36 };
const labelRoom: CssPixels = 118;
const near: CssPixels = 14;

/** Dots of two quantities, a density where there are very many; a drag selects a rectangle. */
export function ScatterPlot(props: ScatterPlotProps) {
  const {
    points,
    xAxis,
    yAxis,
    lines = [],
    guides = [],
    marked,
    selected,
    onMark,
    label,
    testId,
  } = props;
  const [drag, setDrag] = useState<Drag>();
  const { names } = xAxis;
  const x = useMemo(
    () => (names ? nameAxis(names) : { ...axisOf(points.x, xAxis.log), ticks: 80 }),
    [points, xAxis.log, names?.join('\n')],
  );
  const y = useMemo(() => axisOf(points.y, yAxis.log), [points, yAxis.log]);
  const plot = usePlot(
    { ...xAxis, ...x },
    { ...yAxis, ...y, ticks: 56 },
    props.height,
    (fullWidth) =>
      lines.length + guides.length > 0 && fullWidth > 420
        ? { ...margins, right: labelRoom }
        : margins,
  );
  const places = useMemo(() => placePoints(points, plot), [points, plot]);
  const draw = useMemo(
    () => (context: CanvasRenderingContext2D, ratio: number) =>
      drawScatter(context, points, places, plot, ratio),
    [points, places, plot],
  );
  const index = useRef<{ of: Places; found: PointIndex }>(undefined);
  const nearest = (atX: CssPixels, atY: CssPixels) => {
    // made when first needed: a picture that nobody points at needs no index
    if (index.current?.of !== places)
      index.current = {
        of: places,
        found: indexPoints(places.x, places.y, plot.width, plot.height),
      };
    return index.current.found.nearest(atX, atY, near);
  };
  const show = (point: number | undefined, clientX: number, clientY: number) => {
    onMark(point);
    if (point === undefined) hideTooltip();
    else showTooltip(clientX, clientY, props.tooltip(point));
  };
  const said = [[xAxis, points.x] as const, [yAxis, points.y] as const].map(([axis, values]) => {
    const value = values[marked ?? -1] ?? Number.NaN;
    return `${axis.title} ${axis.names?.[Math.round(value)] ?? significant(value * axis.factor)}`;
  });
  const pointText = marked === undefined ? 'no point' : said.join(', ');
  return (
    <Frame
      plot={plot}
      label={`${label}${points.x.length > densityAbove ? ', drawn as a density' : ''}`}
      testId={testId}
      // the canvas hides what is beneath it: it draws the grid itself
      grid={false}
      draw={draw}
      surface={{
        now: marked,
        nowText: pointText,
        count: points.x.length,
        onHover: (atX, atY, clientX, clientY) => {
          if (drag) hideTooltip();
          else show(nearest(atX, atY), clientX, clientY);
        },
        onLeave: () => onMark(undefined),
        onDrag: setDrag,
        onSelect: (to) => props.onSelect(rectangleOf(plot, to)),
        onClick: () => {
          if (marked !== undefined && placeOf(places, marked)) pinTooltip();
          else if (selected) props.onSelect(undefined);
        },
        onStep: (by) => {
          const next = neighbour(points.x, marked, by);
          const place = placeOf(places, next);
          const at = place && windowPlace(plot, ...place);
          if (at) show(next, ...at);
          else onMark(next);
        },
        onEnter: pinTooltip,
      }}
    >
      <ScatterLines
        lines={lines}
        guides={guides}
        plot={plot}
        labelled={plot.margins.right === labelRoom}
      />
      <Marked place={placeOf(places, marked)} />
      <Veil rectangle={drag ? rectangleOf(plot, drag) : selected} plot={plot} />
    </Frame>
  );
}

/** Names in the middle of their room. */
const nameAxis = (names: readonly string[]) => ({
  lo: -0.5,
  hi: names.length - 0.5,
  log: false,
  ticks: names.map((label, value) => ({ value, label })),
});

const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Dragged along one axis only, the other stays free. */
function rectangleOf(plot: Plot, { x0, y0, x1, y1 }: Drag): Rectangle {
  const along = (scale: Scale, a: CssPixels, b: CssPixels): readonly [number, number] => {
    if (Math.abs(b - a) < clickPixels) return all;
    const [from, to] = [scale.invert(a), scale.invert(b)];
    return from < to ? [from, to] : [to, from];
  };
  return { x: along(plot.x, x0, x1), y: along(plot.y, y0, y1) };
}

function placeOf(places: Places, index: number | undefined): [CssPixels, CssPixels] | undefined {
  const x = places.x[index ?? -1] ?? Number.NaN;
  const y = places.y[index ?? -1] ?? Number.NaN;
  return x >= 0 && y >= 0 ? [x, y] : undefined;
}

/** The point `step` places further in the order of x. */
function neighbour(x: Float64Array, from: number | undefined, step: number): number | undefined {
  const order = Array.from(x.keys())
    .filter((i) => Number.isFinite(x[i]))
    .sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
  const place = from === undefined ? -1 : order.indexOf(from);
  return order[place < 0 ? 0 : clamp(place + step, 0, order.length - 1)];
}

function Marked({ place }: { place: [CssPixels, CssPixels] | undefined }) {
  return place ? <circle class="scatter-mark" cx={place[0]} cy={place[1]} r={5} /> : null;
}

/** What lies outside of the selected rectangle is veiled: the colours inside stay true. */
function Veil({ rectangle, plot }: { rectangle: Rectangle | undefined; plot: Plot }) {
  if (!rectangle) return null;
  const { width, height } = plot;
  // what has no place on the axis, as zero on a logarithmic one, lies before it
  const place = (scale: Scale, value: number, first: CssPixels, end: CssPixels) => {
    const at = scale(value);
    return Number.isNaN(at) ? first : clamp(at, 0, end);
  };
  const x0 = place(plot.x, rectangle.x[0], 0, width);
  const x1 = place(plot.x, rectangle.x[1], 0, width);
  const y0 = place(plot.y, rectangle.y[1], height, height);
  const y1 = place(plot.y, rectangle.y[0], height, height);
  return (
    <>
      <path class="plot-veil" d={`M0 0H${width}V${height}H0ZM${x0} ${y0}V${y1}H${x1}V${y0}Z`} />
      <Selected x0={x0} y0={y0} x1={x1} y1={y1} />
    </>
  );
}
