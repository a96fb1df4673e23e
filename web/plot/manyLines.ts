import { at, lastNotAbove } from './numbers';

/**
 * Step lines over the same edges: `values[line * (edges.length - 1) + step]`, NaN = nothing known.
 */
export interface LineSet {
  edges: Float64Array;
  values: Float64Array;
  lines: number;
}

const nowhere = -1;

/**
 * How many lines pass each pixel: `width` x `height` counts, row by row from the top. In each pixel
 * column a line covers the stretch from its smallest to its largest value there, joined to where it
 * left the column before: no spike is lost. The work is lines x (steps or columns), whatever the
 * heights: stretches are noted by their ends and summed at last.
 */
export function lineDensity(
  set: LineSet,
  begin: number,
  end: number,
  width: number,
  height: number,
  top: number,
): Int16Array {
  const steps = set.edges.length - 1;
  const perPixel = (end - begin) / width;
  const first = Math.max(0, lastNotAbove(set.edges, begin));
  const ends = new Int16Array(width * (height + 1));
  // the columns of a step are the same for all lines
  const from = new Int32Array(Math.max(0, steps - first));
  const until = new Int32Array(from.length);
  let count = 0;
  for (let step = first; step < steps && at(set.edges, step) < end; step += 1) {
    from[count] = Math.max(0, Math.floor((at(set.edges, step) - begin) / perPixel));
    until[count] = Math.min(
      width - 1,
      Math.max(at(from, count), Math.ceil((at(set.edges, step + 1) - begin) / perPixel) - 1),
    );
    count += 1;
  }
  const toRow = (value: number) =>
    Math.min(height - 1, Math.max(0, Math.round((1 - value / top) * (height - 1))));
  const mark = (column: number, high: number, low: number) => {
    const base = column * (height + 1);
    ends[base + high] = (ends[base + high] ?? 0) + 1;
    ends[base + low + 1] = (ends[base + low + 1] ?? 0) - 1;
  };
  for (let line = 0; line < set.lines; line += 1) {
    const base = line * steps + first;
    let column = nowhere;
    let high = 0;
    let low = 0;
    let before = nowhere;
    for (let k = 0; k < count; k += 1) {
      const value = set.values[base + k] ?? Number.NaN;
      if (Number.isNaN(value)) {
        if (column !== nowhere) mark(column, high, low);
        column = nowhere;
        before = nowhere;
        continue;
      }
      const row = toRow(value);
      const left = from[k] ?? 0;
      const right = until[k] ?? 0;
      if (column !== left) {
        if (column !== nowhere) mark(column, high, low);
        column = left;
        high = before === nowhere ? row : Math.min(row, before);
        low = before === nowhere ? row : Math.max(row, before);
      } else {
        if (row < high) high = row;
        if (row > low) low = row;
      }
      before = row;
      if (right > left) {
        mark(column, high, low);
        for (let c = left + 1; c < right; c += 1) mark(c, row, row);
        column = right;
        high = row;
        low = row;
      }
    }
    if (column !== nowhere) mark(column, high, low);
  }
  const density = new Int16Array(width * height);
  for (let column = 0; column < width; column += 1) {
    let running = 0;
    const base = column * (height + 1);
    for (let row = 0; row < height; row += 1) {
      running += ends[base + row] ?? 0;
      density[row * width + column] = running;
    }
  }
  return density;
}

/**
 * One colour, each line through a pixel as a layer of `alpha`. `rgb` is a pixel whose own alpha is
 * ignored.
 */
export function paintDensity(
  density: Int16Array,
  rgb: number,
  alpha: number,
  pixels: Uint32Array,
): void {
  const known = 64;
  const layers = Uint32Array.from({ length: known }, (_, count) => {
    const opacity = 1 - (1 - alpha) ** count;
    return ((Math.round(opacity * 255) << 24) | (rgb & 0xffffff)) >>> 0;
  });
  for (let i = 0; i < density.length; i += 1) {
    const count = density[i] ?? 0;
    if (count > 0) pixels[i] = layers[count < known ? count : known - 1] ?? 0;
  }
}

/** The line nearest to a point (`y` as a value), within `reach` of it; -1 when none is. */
export function nearestLine(set: LineSet, x: number, y: number, reach: number): number {
  const step = lastNotAbove(set.edges, x);
  const steps = set.edges.length - 1;
  if (step < 0 || step >= steps) return -1;
  let best = -1;
  let distance = reach;
  for (let line = 0; line < set.lines; line += 1) {
    const off = Math.abs(at(set.values, line * steps + step) - y);
    if (off <= distance) {
      best = line;
      distance = off;
    }
  }
  return best;
}
