import { at, lastNotAbove } from './numbers';
import type { Steps } from './steps';

/** What one pixel column shows of a series: drawn in this order no spike and no end is lost, at any zoom. */
export interface PixelColumns {
  /** left edge of the column [px] */
  x: Float64Array;
  first: Float64Array;
  min: Float64Array;
  max: Float64Array;
  last: Float64Array;
}

/**
 * First, min, max and last value per pixel column of the part of `steps` within [begin, end] (M4). A column without a known
 * value is NaN. A step that spans several columns appears in each of them.
 */
export function decimate(steps: Steps, begin: number, end: number, widthPixels: number): PixelColumns {
  const columns = Math.max(1, Math.floor(widthPixels));
  const x = new Float64Array(columns);
  const first = new Float64Array(columns).fill(Number.NaN);
  const min = new Float64Array(columns).fill(Number.NaN);
  const max = new Float64Array(columns).fill(Number.NaN);
  const last = new Float64Array(columns).fill(Number.NaN);
  const perPixel = (end - begin) / columns;
  const { edges, values } = steps;
  let index = Math.max(0, lastNotAbove(edges, begin));
  for (let column = 0; column < columns; column += 1) {
    x[column] = column;
    const left = begin + column * perPixel;
    const right = left + perPixel;
    while (index < values.length && at(edges, index + 1) <= left) index += 1;
    for (let i = index; i < values.length && at(edges, i) < right; i += 1) {
      const value = at(values, i);
      if (Number.isNaN(value)) continue;
      if (Number.isNaN(at(first, column))) {
        first[column] = value;
        min[column] = value;
        max[column] = value;
      } else {
        if (value < at(min, column)) min[column] = value;
        if (value > at(max, column)) max[column] = value;
      }
      last[column] = value;
    }
  }
  return { x, first, min, max, last };
}
