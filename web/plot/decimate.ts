import { lastNotAbove } from './numbers';
import type { Steps } from './steps';

/**
 * What one pixel column shows of a series: drawn in this order no spike and no end is lost, at any
 * zoom.
 */
export interface PixelColumns {
  first: Float64Array;
  min: Float64Array;
  max: Float64Array;
  last: Float64Array;
}

/**
 * First, min, max and last value per pixel column of the part of `steps` within [begin, end] (M4).
 * A column without a known value is NaN. A step that spans several columns appears in each of them.
 * `into` is used again where it has the right size.
 */
export function decimate(
  steps: Steps,
  begin: number,
  end: number,
  widthPixels: number,
  into?: PixelColumns,
): PixelColumns {
  const columns = Math.max(1, Math.floor(widthPixels));
  const result =
    into?.first.length === columns
      ? into
      : {
          first: new Float64Array(columns),
          min: new Float64Array(columns),
          max: new Float64Array(columns),
          last: new Float64Array(columns),
        };
  const { first, min, max, last } = result;
  const perPixel = (end - begin) / columns;
  const { edges, values } = steps;
  const count = values.length;
  let index = Math.max(0, lastNotAbove(edges, begin));
  for (let column = 0; column < columns; column += 1) {
    const left = begin + column * perPixel;
    const right = left + perPixel;
    while (index < count && (edges[index + 1] as number) <= left) index += 1;
    let opening = Number.NaN;
    let low = Number.NaN;
    let high = Number.NaN;
    let closing = Number.NaN;
    for (let i = index; i < count && (edges[i] as number) < right; i += 1) {
      const value = values[i] as number;
      if (Number.isNaN(value)) continue;
      if (Number.isNaN(opening)) {
        opening = value;
        low = value;
        high = value;
      } else if (value < low) low = value;
      else if (value > high) high = value;
      closing = value;
    }
    first[column] = opening;
    min[column] = low;
    max[column] = high;
    last[column] = closing;
  }
  return result;
}
