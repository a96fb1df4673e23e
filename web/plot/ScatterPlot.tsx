import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { hideTooltip, pinTooltip, showTooltip } from '../ui/tooltip';
import { densityAbove, drawScatter, type Points, placePoints, type ScatterFrame } from './drawScatter';
import { indexPoints, type PointIndex } from './nearest';
import { clamp } from './numbers';
import { AxisTitles } from './PlotGrid';
import { paletteGeneration } from './palette';
import { type FitLine, ScatterLines } from './ScatterLines';
import { type CssPixels, useSize } from './useSize';
import { axisOf, shareOf, ticksOf, type ValueAxis, valueAtShare } from './valueAxis';

export interface ScatterAxis {
  /** with the unit that is shown */
  title: string;
  /** from the values' unit to the shown one */
  factor: number;
  log: boolean;
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

const left: CssPixels = 46;
const bottom: CssPixels = 36;
const top: CssPixels = 8;
const labelRoom: CssPixels = 118;
const clickPixels = 3;
const near: CssPixels = 14;

interface Drag {
  x0: CssPixels;
  y0: CssPixels;
  x1: CssPixels;
  y1: CssPixels;
}

/** Dots of two quantities, a density where there are very many; a drag selects a rectangle. */
export function ScatterPlot(props: ScatterPlotProps) {
  const { points, xAxis, yAxis, height, lines = [], guides = [], marked, selected, label, testId } = props;
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useSignal<Drag | undefined>(undefined);
  const roomRight = lines.length > 0 && fullWidth > 420 ? labelRoom : 12;
  const width = Math.max(0, fullWidth - left - roomRight);
  const plotHeight = height - top - bottom;
  const x = useMemo(() => axisOf(points.x, xAxis.log), [points, xAxis.log]);
  const y = useMemo(() => axisOf(points.y, yAxis.log), [points, yAxis.log]);
  const xTicks = useMemo(() => ticksOf(x, width, xAxis.factor, 80), [x, width, xAxis.factor]);
  const yTicks = useMemo(() => ticksOf(y, plotHeight, yAxis.factor, 56), [y, plotHeight, yAxis.factor]);
  const frame = useMemo<ScatterFrame>(
    () => ({
      xAxis: x,
      yAxis: y,
      width,
      height: plotHeight,
      ratio: window.devicePixelRatio || 1,
      gridX: xTicks.map((tick) => tick.value),
      gridY: yTicks.map((tick) => tick.value),
    }),
    [x, y, width, plotHeight, xTicks, yTicks],
  );
  const places = useMemo(() => placePoints(points, frame), [points, frame]);
  const index = useRef<{ of: typeof places; found: PointIndex } | undefined>(undefined);
  const generation = paletteGeneration.value;

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d', { alpha: false });
    if (!element || !context || width <= 0) return;
    element.width = Math.max(1, Math.round(width * frame.ratio));
    element.height = Math.max(1, Math.round(plotHeight * frame.ratio));
    drawScatter(context, points, places, frame);
  }, [points, places, frame, generation]);
  useEffect(() => hideTooltip, []);

  const at = (event: PointerEvent): [CssPixels, CssPixels] => {
    const area = canvas.current?.getBoundingClientRect();
    return area ? [clamp(event.clientX - area.left, 0, width), clamp(event.clientY - area.top, 0, plotHeight)] : [0, 0];
  };
  const mark = (event: PointerEvent, atX: CssPixels, atY: CssPixels) => {
    // made when first needed: a picture that nobody points at needs no index
    if (index.current?.of !== places)
      index.current = { of: places, found: indexPoints(places.x, places.y, width, plotHeight) };
    const found = index.current.found.nearest(atX, atY, near);
    props.onMark(found);
    if (found === undefined) hideTooltip();
    else showTooltip(event.clientX, event.clientY, props.tooltip(found));
  };
  // along one axis only: the other stays free
  const rectangleOf = ({ x0, y0, x1, y1 }: Drag): Rectangle => ({
    x: Math.abs(x1 - x0) < clickPixels ? all : ordered(valueAtShare(x, x0 / width), valueAtShare(x, x1 / width)),
    y:
      Math.abs(y1 - y0) < clickPixels
        ? all
        : ordered(valueAtShare(y, 1 - y0 / plotHeight), valueAtShare(y, 1 - y1 / plotHeight)),
  });

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const [x0, y0] = at(event);
    drag.value = { x0, y0, x1: x0, y1: y0 };
  };
  const move = (event: PointerEvent) => {
    const [x1, y1] = at(event);
    const now = drag.peek();
    if (!now) return mark(event, x1, y1);
    hideTooltip();
    drag.value = { ...now, x1, y1 };
  };
  const up = (event: PointerEvent) => {
    const now = drag.peek();
    drag.value = undefined;
    if (!now || event.type === 'pointercancel') return;
    const moved = Math.abs(now.x1 - now.x0) >= clickPixels || Math.abs(now.y1 - now.y0) >= clickPixels;
    if (moved) props.onSelect(rectangleOf(now));
    else if (marked !== undefined && placeOf(places, marked)) pinTooltip();
    else if (selected) props.onSelect(undefined);
  };
  const leave = () => {
    hideTooltip();
    props.onMark(undefined);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter') pinTooltip();
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const step = (event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1);
    const next = neighbour(points.x, marked, step);
    props.onMark(next);
    const place = next === undefined ? undefined : placeOf(places, next);
    const area = canvas.current?.getBoundingClientRect();
    if (next !== undefined && place && area)
      showTooltip(area.left + place[0], area.top + place[1], props.tooltip(next));
  };

  return (
    <div ref={box} class="scatter" style={{ height: `${height}px` }}>
      <canvas
        ref={canvas}
        style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${plotHeight}px` }}
      />
      {width > 0 ? (
        <svg width={fullWidth} height={height} aria-hidden="true">
          {yTicks.map((tick) => (
            <text
              key={tick.value}
              x={left - 6}
              y={top + (1 - shareOf(y, tick.value)) * plotHeight + 4}
              text-anchor="end"
            >
              {tick.label}
            </text>
          ))}
          {xTicks.map((tick) => (
            <text
              key={tick.value}
              x={left + shareOf(x, tick.value) * width}
              y={top + plotHeight + 14}
              text-anchor="middle"
            >
              {tick.label}
            </text>
          ))}
          <AxisTitles left={left} width={width} height={height} x={xAxis.title} y={yAxis.title} testId={testId} />
          <g transform={`translate(${left} ${top})`}>
            <ScatterLines
              lines={lines}
              guides={guides}
              xAxis={x}
              yAxis={y}
              width={width}
              height={plotHeight}
              labelled={roomRight === labelRoom}
            />
            <Marked places={places} index={marked} />
            <Veil
              rectangle={drag.value ? rectangleOf(drag.value) : selected}
              xAxis={x}
              yAxis={y}
              width={width}
              height={plotHeight}
            />
          </g>
        </svg>
      ) : null}
      <div
        class="scatter-surface"
        style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${plotHeight}px` }}
        role="slider"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.x.length - 1)}
        aria-valuenow={marked ?? 0}
        aria-label={`${label}${points.x.length > densityAbove ? ', drawn as a density' : ''}`}
        tabIndex={0}
        data-testid={testId}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onPointerLeave={leave}
        onKeyDown={key}
      />
    </div>
  );
}

const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const ordered = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a]);

function placeOf(places: { x: Float32Array; y: Float32Array }, index: number): [CssPixels, CssPixels] | undefined {
  const x = places.x[index] ?? Number.NaN;
  const y = places.y[index] ?? Number.NaN;
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

function Marked({ places, index }: { places: { x: Float32Array; y: Float32Array }; index: number | undefined }) {
  const place = index === undefined ? undefined : placeOf(places, index);
  return place ? <circle class="scatter-mark" cx={place[0]} cy={place[1]} r={5} /> : null;
}

interface VeilProps {
  rectangle: Rectangle | undefined;
  xAxis: ValueAxis;
  yAxis: ValueAxis;
  width: CssPixels;
  height: CssPixels;
}

/** What lies outside of the selected rectangle is veiled: the colours inside stay true. */
function Veil({ rectangle, xAxis, yAxis, width, height }: VeilProps) {
  if (!rectangle) return null;
  const place = (axis: ValueAxis, value: number, length: CssPixels) =>
    clamp(axis.log && value <= 0 ? 0 : shareOf(axis, value), 0, 1) * length;
  const x0 = place(xAxis, rectangle.x[0], width);
  const x1 = place(xAxis, rectangle.x[1], width);
  const y0 = height - place(yAxis, rectangle.y[1], height);
  const y1 = height - place(yAxis, rectangle.y[0], height);
  return (
    <>
      <path class="scatter-veil" d={`M0 0H${width}V${height}H0ZM${x0} ${y0}V${y1}H${x1}V${y0}Z`} />
      <rect class="scatter-selected" x={x0} y={y0} width={Math.max(0, x1 - x0)} height={Math.max(0, y1 - y0)} />
    </>
  );
}
