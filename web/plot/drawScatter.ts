import { groundOf, ringOf, setDot, setRect, shapeOf, stampOf } from './dots';
import { colour, grey, rgbOf } from './palette';
import { pixelOf, scalePixels } from './pixels';
import type { Plot } from './plot';
import type { Scale } from './scales';
import type { CssPixels } from './useSize';

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

/** Where each point lies [px of the plot]; NaN = nowhere. */
export interface Places {
  x: Float32Array;
  y: Float32Array;
}

/** More points than this are drawn as a density. */
export const densityAbove = 20_000;
/** Few points are large enough to have a shape of their own. */
const fewPoints = 2000;
const dotPixels = (points: number): CssPixels => (points <= fewPoints ? 6 : 3.8);
const dotOpacity = (points: number): number => (points <= fewPoints ? 0.6 : 0.42);
const cellPixels: CssPixels = 3;
const sequential = ['--seq-2', '--seq-3', '--seq-4', '--seq-5', '--seq-6'] as const;

export const placePoints = (points: Points, plot: Plot): Places => ({
  x: placed(points.x, plot.x),
  y: placed(points.y, plot.y),
});

function placed(values: Float64Array, scale: Scale): Float32Array {
  const [least, most] = [Math.min(...scale.ends), Math.max(...scale.ends)];
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const place = scale(values[i] as number);
    // what lies outside has no pixel; on a logarithmic axis zero is infinitely far
    result[i] = place >= least && place <= most ? place : Number.NaN;
  }
  return result;
}

/** Draws the points over the grid. */
export function drawScatter(
  context: CanvasRenderingContext2D,
  points: Points,
  places: Places,
  plot: Plot,
  ratio: number,
): void {
  const width = Math.max(1, Math.round(plot.width * ratio));
  const height = Math.max(1, Math.round(plot.height * ratio));
  const image = groundOf(width, height, pixelOf('--surface'));
  const grid = pixelOf('--grid');
  const line = Math.max(1, Math.round(ratio));
  for (const { value } of plot.xTicks)
    setRect(
      image,
      Math.round((plot.x(value) / plot.width) * (width - line)),
      0,
      line,
      height,
      grid,
    );
  for (const { value } of plot.yTicks)
    setRect(
      image,
      0,
      Math.round((plot.y(value) / plot.height) * (height - line)),
      width,
      line,
      grid,
    );
  const dense = points.x.length > densityAbove;
  if (dense) drawDensity(image, places, ratio);
  const count = points.x.length;
  const diameter = dotPixels(count) * ratio;
  const stamps = points.colours.map((token) => stampOf(diameter, shapeOf(token)));
  const ring = ringOf(diameter, 1.5 * ratio);
  const inks = points.colours.map((token) => rgbOf(colour(token)));
  for (let i = 0; i < points.x.length; i += 1) {
    const isHollow = points.hollow?.[i] === 1;
    if (dense && points.outlier?.[i] !== 1 && !isHollow) continue;
    const x = places.x[i] as number;
    const y = places.y[i] as number;
    if (!(x >= 0 && y >= 0)) continue;
    const ink = inks[points.group[i] as number] ?? grey;
    const isPlain = !isHollow && points.outlier?.[i] !== 1;
    const stamp = isHollow ? ring : (stamps[points.group[i] as number] ?? ring);
    setDot(image, x * ratio, y * ratio, stamp, ink, isPlain ? dotOpacity(count) : 0.9);
  }
  context.putImageData(image, 0, 0);
}

/**
 * Points per cell as colours of the sequential scale, by the logarithm: a lone point is as visible
 * as a heap.
 */
function drawDensity(image: ImageData, places: Places, ratio: number): void {
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
  const scale = scalePixels(sequential);
  const whole = Math.log(most + 1);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const count = counts[row * columns + column] as number;
      if (count === 0) continue;
      const level = Math.round((Math.log(count + 1) / whole) * (scale.length - 1));
      setRect(image, column * cell, row * cell, cell, cell, scale[level] ?? 0);
    }
  }
}
