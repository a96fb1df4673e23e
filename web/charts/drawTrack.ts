import { decimate, type PixelColumns } from './decimate';
import { hatchPattern } from './hatch';
import { at } from './numbers';
import { colour } from './palette';
import { holes, type Steps } from './steps';
import type { CssPixels } from './useSize';

/** What is drawn in a track, back to front. Values are in the track's own unit, times in seconds or whatever the axis has. */
export type Layer =
  | { kind: 'area'; steps: Steps; colour: string; opacity?: number }
  | { kind: 'line'; steps: Steps; colour: string; width?: number }
  | { kind: 'band'; lower: Steps; upper: Steps; colour: string; opacity: number }
  | { kind: 'hatch'; steps: Steps; ground: string; ink: string }
  | { kind: 'rule'; y: number; colour: string; dashed: boolean }
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

/** Draws layers; on what is there already with `fresh` = false. */
export function drawTrack(
  context: CanvasRenderingContext2D,
  layers: readonly Layer[],
  frame: TrackFrame,
  fresh = true,
): void {
  const { width, height, ratio } = frame;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (fresh) context.clearRect(0, 0, width, height);
  const y = (value: number) => height - (value / frame.top) * height;
  const grid = () => {
    context.fillStyle = colour('--grid');
    for (const value of frame.gridAt) context.fillRect(0, Math.min(height - 1, Math.round(y(value))), width, 1);
  };
  // shades lie behind the grid, all else before it
  for (const layer of layers) if (layer.kind === 'shade') drawLayer(context, layer, frame, y);
  grid();
  for (const layer of layers) if (layer.kind !== 'shade') drawLayer(context, layer, frame, y);
  const first = layers.find((layer) => layer.kind === 'line' || layer.kind === 'area');
  if (first && 'steps' in first) drawHoles(context, first.steps, frame);
}

function drawLayer(
  context: CanvasRenderingContext2D,
  layer: Layer,
  frame: TrackFrame,
  y: (value: number) => number,
): void {
  const { begin, end, width, ratio } = frame;
  // one column per device pixel: on a fine screen a spike is as thin as the screen allows
  const columnsOf = (steps: Steps) => decimate(steps, begin, end, width * ratio);
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
      fillBetween(context, columnsOf(layer.lower), columnsOf(layer.upper), y, column);
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
  }
  context.globalAlpha = 1;
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
  const count = upper.x.length;
  let i = 0;
  while (i < count) {
    if (Number.isNaN(at(upper.max, i))) {
      i += 1;
      continue;
    }
    const begin = i;
    context.moveTo(begin * column, y(lower ? at(lower.min, begin) : 0));
    while (i < count && !Number.isNaN(at(upper.max, i))) {
      const top = y(at(upper.max, i));
      context.lineTo(i * column, top);
      context.lineTo((i + 1) * column, top);
      i += 1;
    }
    for (let back = i - 1; back >= begin; back -= 1) {
      const bottom = y(lower && Number.isFinite(at(lower.min, back)) ? at(lower.min, back) : 0);
      context.lineTo((back + 1) * column, bottom);
      context.lineTo(back * column, bottom);
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
  context.beginPath();
  let drawing = false;
  for (let i = 0; i < columns.x.length; i += 1) {
    if (Number.isNaN(at(columns.first, i))) {
      drawing = false;
      continue;
    }
    const x = i * column;
    const first = y(at(columns.first, i));
    if (drawing) context.lineTo(x, first);
    else context.moveTo(x, first);
    drawing = true;
    const min = at(columns.min, i);
    const max = at(columns.max, i);
    const last = at(columns.last, i);
    if (min !== max) {
      context.lineTo(x, y(min));
      context.lineTo(x, y(max));
      context.lineTo(x, y(last));
    }
    context.lineTo(x + column, y(last));
  }
  context.stroke();
}

function drawHoles(context: CanvasRenderingContext2D, steps: Steps, frame: TrackFrame): void {
  const { begin, end, width, height } = frame;
  const x = (time: number) => ((time - begin) / (end - begin)) * width;
  const silent = holes(steps).filter(([from, to]) => to > begin && from < end);
  if (silent.length === 0) return;
  context.fillStyle = hatchPattern(context, 'none', '--line-2');
  for (const [from, to] of silent) context.fillRect(x(from), 0, Math.max(1, x(to) - x(from)), height);
}
