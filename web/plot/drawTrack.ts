import { decimate, type PixelColumns } from './decimate';
import { hatchPattern } from './hatch';
import { colour } from './palette';
import { holes, type Steps } from './steps';
import type { CssPixels } from './useSize';

/**
 * What is drawn in a track, back to front. Values are in the track's own unit, times in seconds or
 * whatever the axis has.
 */
export type Layer =
  | { kind: 'area'; steps: Steps; colour: string; opacity?: number }
  | { kind: 'line'; steps: Steps; colour: string; width?: number }
  | { kind: 'band'; lower: Steps; upper: Steps; colour: string; opacity: number }
  | { kind: 'hatch'; steps: Steps; ground: string; ink: string }
  | { kind: 'rule'; y: number; colour: string; dashed: boolean }
  /** whatever else, in CSS pixels: pictures made pixel by pixel */
  | { kind: 'paint'; paint: (context: CanvasRenderingContext2D, frame: TrackFrame) => void }
  /** stretches of the axis, over the whole height */
  | { kind: 'shade'; ranges: readonly (readonly [begin: number, end: number])[]; colour: string };

export interface TrackFrame {
  begin: number;
  end: number;
  /** the value at the upper edge; the lower edge is 0 */
  top: number;
  width: CssPixels;
  height: CssPixels;
  /** device pixels per CSS pixel */
  ratio: number;
  gridAt: readonly number[];
}

export function drawTrack(
  context: CanvasRenderingContext2D,
  layers: readonly Layer[],
  frame: TrackFrame,
): void {
  const { width, height, ratio } = frame;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  // sixty times a second for thousands of points: a d3 scale would take most of the frame
  const y = (value: number) => height - (value / frame.top) * height;
  const grid = () => {
    context.fillStyle = colour('--grid');
    for (const value of frame.gridAt)
      context.fillRect(0, Math.min(height - 1, Math.round(y(value))), width, 1);
  };
  // shades lie behind the grid, all else before it
  for (const layer of layers) if (layer.kind === 'shade') drawLayer(context, layer, frame, y);
  grid();
  for (const layer of layers) if (layer.kind !== 'shade') drawLayer(context, layer, frame, y);
  const first = layers.find((layer) => layer.kind === 'line' || layer.kind === 'area');
  if (first && 'steps' in first) drawHoles(context, first.steps, frame);
}

interface Kept {
  steps: Steps;
  begin: number;
  end: number;
  columns: PixelColumns;
}

/**
 * The last columns that were made: an area and its line are of the same ones, and the next ones
 * take their place.
 */
const keptColumns: (Kept | undefined)[] = [];

function columnsFor(
  steps: Steps,
  begin: number,
  end: number,
  width: number,
  place: number,
): PixelColumns {
  const kept = keptColumns[place];
  const same = kept?.columns.first.length === Math.max(1, Math.floor(width));
  if (kept && same && kept.steps === steps && kept.begin === begin && kept.end === end)
    return kept.columns;
  const columns = decimate(steps, begin, end, width, kept?.columns);
  keptColumns[place] = { steps, begin, end, columns };
  return columns;
}

function drawLayer(
  context: CanvasRenderingContext2D,
  layer: Layer,
  frame: TrackFrame,
  y: (value: number) => number,
): void {
  const { begin, end, width, ratio } = frame;
  // one column per device pixel: on a fine screen a spike is as thin as the screen allows
  const columnsOf = (steps: Steps, place = 0) =>
    columnsFor(steps, begin, end, width * ratio, place);
  const column = 1 / ratio;
  context.globalAlpha = 1;
  switch (layer.kind) {
    case 'area': {
      context.globalAlpha = layer.opacity ?? 1;
      context.fillStyle = colour(layer.colour);
      fillBetween(context, undefined, columnsOf(layer.steps), y, column);
      break;
    }
    case 'hatch': {
      context.fillStyle = hatchPattern(context, layer.ground, layer.ink);
      fillBetween(context, undefined, columnsOf(layer.steps), y, column);
      break;
    }
    case 'band': {
      context.globalAlpha = layer.opacity;
      context.fillStyle = colour(layer.colour);
      fillBetween(context, columnsOf(layer.lower, 1), columnsOf(layer.upper), y, column);
      break;
    }
    case 'line': {
      context.strokeStyle = colour(layer.colour);
      context.lineWidth = layer.width ?? 1.5;
      context.lineJoin = 'round';
      strokeColumns(context, columnsOf(layer.steps), y, column);
      break;
    }
    case 'shade': {
      context.fillStyle = colour(layer.colour);
      const x = (position: number) => ((position - begin) / (end - begin)) * width;
      for (const [from, to] of layer.ranges) {
        const left = Math.max(0, x(from));
        const right = Math.min(width, x(to));
        // a moment shorter than a pixel still is there
        if (right > left) context.fillRect(left, 0, Math.max(1, right - left), frame.height);
      }
      break;
    }
    case 'rule': {
      context.strokeStyle = colour(layer.colour);
      context.lineWidth = 1.25;
      context.setLineDash(layer.dashed ? [5, 4] : []);
      context.beginPath();
      context.moveTo(0, y(layer.y));
      context.lineTo(width, y(layer.y));
      context.stroke();
      context.setLineDash([]);
      break;
    }
    case 'paint': {
      layer.paint(context, frame);
      break;
    }
  }
  context.globalAlpha = 1;
}

/**
 * Calls `point` along the columns [begin, end): the ends of each stretch of equal values, and one
 * point for a column whose neighbours differ, as a path of two points per pixel costs twice and
 * looks the same.
 */
function alongColumns(
  values: Float64Array,
  begin: number,
  end: number,
  column: CssPixels,
  point: (x: CssPixels, value: number) => void,
): void {
  let from = begin;
  while (from < end) {
    const value = values[from] as number;
    let until = from + 1;
    while (until < end && values[until] === value) until += 1;
    if (until - from > 1 || from === begin || until === end) {
      point(from * column, value);
      point(until * column, value);
    } else {
      point((from + 0.5) * column, value);
    }
    from = until;
  }
}

/** Fills from `lower` (the zero line when there is none) up to the maxima of `upper`. */
function fillBetween(
  context: CanvasRenderingContext2D,
  lower: PixelColumns | undefined,
  upper: PixelColumns,
  y: (value: number) => number,
  column: CssPixels,
): void {
  context.beginPath();
  const count = upper.max.length;
  let i = 0;
  while (i < count) {
    if (Number.isNaN(upper.max[i])) {
      i += 1;
      continue;
    }
    const begin = i;
    while (i < count && !Number.isNaN(upper.max[i])) i += 1;
    context.moveTo(begin * column, y(upper.max[begin] as number));
    alongColumns(upper.max, begin, i, column, (x, value) => context.lineTo(x, y(value)));
    if (!lower) {
      context.lineTo(i * column, y(0));
      context.lineTo(begin * column, y(0));
    } else {
      const back: CssPixels[] = [];
      alongColumns(lower.min, begin, i, column, (x, value) =>
        back.push(x, y(Number.isFinite(value) ? value : 0)),
      );
      for (let at = back.length - 2; at >= 0; at -= 2)
        context.lineTo(back[at] as number, back[at + 1] as number);
    }
    context.closePath();
  }
  context.fill();
}

function strokeColumns(
  context: CanvasRenderingContext2D,
  columns: PixelColumns,
  y: (value: number) => number,
  column: CssPixels,
): void {
  const { first, min, max, last } = columns;
  context.beginPath();
  let drawing = false;
  let held = Number.NaN;
  for (let i = 0; i < first.length; i += 1) {
    const opening = first[i] as number;
    const x = i * column;
    if (Number.isNaN(opening)) {
      if (drawing) context.lineTo(x, y(held));
      drawing = false;
      continue;
    }
    const low = min[i] as number;
    const high = max[i] as number;
    // a value that is held needs no point until it changes
    if (drawing && low === held && high === held) continue;
    if (drawing) {
      context.lineTo(x, y(held));
      if (opening !== low && opening !== high) context.lineTo(x, y(opening));
    } else context.moveTo(x, y(opening));
    drawing = true;
    held = last[i] as number;
    // the end that the line leaves from comes last
    if (held === low) {
      if (high !== low) context.lineTo(x, y(high));
      context.lineTo(x, y(low));
    } else {
      context.lineTo(x, y(low));
      context.lineTo(x, y(high));
      if (held !== high) context.lineTo(x, y(held));
    }
  }
  if (drawing) context.lineTo(first.length * column, y(held));
  context.stroke();
}

function drawHoles(context: CanvasRenderingContext2D, steps: Steps, frame: TrackFrame): void {
  const { begin, end, width, height } = frame;
  const x = (time: number) => ((time - begin) / (end - begin)) * width;
  const silent = holes(steps).filter(([from, to]) => to > begin && from < end);
  if (silent.length === 0) return;
  context.fillStyle = hatchPattern(context, 'none', '--line-2');
  for (const [from, to] of silent)
    context.fillRect(x(from), 0, Math.max(1, x(to) - x(from)), height);
}
