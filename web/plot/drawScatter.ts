import { groundOf, mixed, type Rgb, rgbOf, ringOf, setDot, setRect, stampOf } from './dots';
import { colour } from './palette';
import type { CssPixels } from './useSize';
import { shareOf, type ValueAxis } from './valueAxis';

/** Points to be drawn, in columns of one length; a point without a place on an axis is left out. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  /** index into `colours` of each point */
  group: Uint8Array;
  /** tokens */
  colours: readonly string[];
  /** 1 = drawn as a dot even where the rest becomes a density */
  outlier?: Float64Array | undefined;
  /** 1 = drawn as a ring, even there */
  hollow?: Float64Array | undefined;
}

export interface ScatterFrame {
  xAxis: ValueAxis;
  yAxis: ValueAxis;
  width: CssPixels;
  height: CssPixels;
  /** device pixels per CSS pixel */
  ratio: number;
  gridX: readonly number[];
  gridY: readonly number[];
}

/** More points than this are drawn as a density. */
export const densityAbove = 20_000;
const dotPixels: CssPixels = 3.8;
const dotOpacity = 0.42;
const cellPixels: CssPixels = 3;
const sequential = ['--seq-2', '--seq-3', '--seq-4', '--seq-5', '--seq-6'] as const;

/** Where each point lies, in CSS pixels of the plot; NaN = nowhere. */
export function placePoints(points: Points, frame: ScatterFrame): { x: Float32Array; y: Float32Array } {
  return {
    x: placed(points.x, frame.xAxis, frame.width, false),
    y: placed(points.y, frame.yAxis, frame.height, true),
  };
}

function placed(values: Float64Array, axis: ValueAxis, length: CssPixels, down: boolean): Float32Array {
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const share = shareOf(axis, values[i] as number);
    // what lies outside has no pixel; on a logarithmic axis zero is infinitely far
    result[i] = share >= 0 && share <= 1 ? (down ? 1 - share : share) * length : Number.NaN;
  }
  return result;
}

/** Draws the points over the grid; true when they became a density. */
export function drawScatter(
  context: CanvasRenderingContext2D,
  points: Points,
  places: { x: Float32Array; y: Float32Array },
  frame: ScatterFrame,
): boolean {
  const width = Math.max(1, Math.round(frame.width * frame.ratio));
  const height = Math.max(1, Math.round(frame.height * frame.ratio));
  const image = groundOf(width, height, rgbOf(colour('--surface')));
  const grid = rgbOf(colour('--grid'));
  const line = Math.max(1, Math.round(frame.ratio));
  for (const value of frame.gridX) {
    setRect(image, Math.round(shareOf(frame.xAxis, value) * (width - line)), 0, line, height, grid);
  }
  for (const value of frame.gridY) {
    setRect(image, 0, Math.round((1 - shareOf(frame.yAxis, value)) * (height - line)), width, line, grid);
  }
  const dense = points.x.length > densityAbove;
  if (dense) drawDensity(image, places, frame.ratio);
  const stamp = stampOf(dotPixels * frame.ratio);
  const ring = ringOf(dotPixels * frame.ratio, 1.5 * frame.ratio);
  const inks = points.colours.map((token) => rgbOf(colour(token)));
  const fallback: Rgb = [128, 128, 128];
  for (let i = 0; i < points.x.length; i += 1) {
    const isHollow = points.hollow?.[i] === 1;
    if (dense && points.outlier?.[i] !== 1 && !isHollow) continue;
    const x = places.x[i] as number;
    const y = places.y[i] as number;
    if (!(x >= 0 && y >= 0)) continue;
    const ink = inks[points.group[i] as number] ?? fallback;
    const opacity = isHollow || dense ? 0.8 : dotOpacity;
    setDot(image, x * frame.ratio, y * frame.ratio, isHollow ? ring : stamp, ink, opacity);
  }
  context.putImageData(image, 0, 0);
  return dense;
}

/** Points per cell as colours of the sequential scale, by the logarithm: a lone point is as visible as a heap. */
function drawDensity(image: ImageData, places: { x: Float32Array; y: Float32Array }, ratio: number): void {
  const cell = Math.max(1, Math.round(cellPixels * ratio));
  const columns = Math.ceil(image.width / cell);
  const rows = Math.ceil(image.height / cell);
  const counts = new Uint32Array(columns * rows);
  let most = 0;
  for (let i = 0; i < places.x.length; i += 1) {
    const x = places.x[i] as number;
    const y = places.y[i] as number;
    if (!(x >= 0 && y >= 0)) continue;
    const column = Math.min(columns - 1, Math.floor((x * ratio) / cell));
    const row = Math.min(rows - 1, Math.floor((y * ratio) / cell));
    const count = (counts[row * columns + column] as number) + 1;
    counts[row * columns + column] = count;
    if (count > most) most = count;
  }
  const scale = sequential.map((token) => rgbOf(colour(token)));
  const whole = Math.log(most + 1);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const count = counts[row * columns + column] as number;
      if (count === 0) continue;
      setRect(image, column * cell, row * cell, cell, cell, mixed(scale, whole > 0 ? Math.log(count + 1) / whole : 0));
    }
  }
}
