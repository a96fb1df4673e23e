import { at } from './numbers';

/** Rows of numbers over equal bins of [begin, end): the block of a matrix column. */
export interface Matrix {
  /** row-major; NaN = nothing known */
  values: Float64Array;
  rows: number;
  bins: number;
  begin: number;
  end: number;
}

/** Which of several values that share a pixel it shows. */
export type Across = 'min' | 'max' | 'mean';

/**
 * What each pixel column of [begin, end] shows of each row: `columns` numbers per row. Several bins in one column become the
 * smallest, the largest or the mean, so that a spike that is one bin wide stays where it matters.
 */
export function columnsOf(matrix: Matrix, begin: number, end: number, columns: number, across: Across): Float32Array {
  const shown = new Float32Array(matrix.rows * columns).fill(Number.NaN);
  const perBin = (matrix.end - matrix.begin) / matrix.bins;
  const perColumn = (end - begin) / columns;
  for (let column = 0; column < columns; column += 1) {
    const left = begin + column * perColumn;
    // a bin belongs to the column in which it begins; a column within one bin shows that bin
    const first = Math.floor((left - matrix.begin) / perBin + 1e-9);
    const last = Math.max(first, Math.ceil((left + perColumn - matrix.begin) / perBin - 1e-9) - 1);
    if (last < 0 || first >= matrix.bins) continue;
    const from = Math.max(0, first);
    const until = Math.min(matrix.bins - 1, last);
    for (let row = 0; row < matrix.rows; row += 1) {
      const base = row * matrix.bins;
      let value = matrix.values[base + from] ?? Number.NaN;
      if (until > from) value = reduce(matrix.values, base + from, base + until, across);
      shown[row * columns + column] = value;
    }
  }
  return shown;
}

function reduce(values: Float64Array, from: number, until: number, across: Across): number {
  let result = Number.NaN;
  let count = 0;
  for (let i = from; i <= until; i += 1) {
    const value = at(values, i);
    if (Number.isNaN(value)) continue;
    count += 1;
    if (count === 1) result = value;
    else if (across === 'mean') result += value;
    else if (across === 'max' ? value > result : value < result) result = value;
  }
  return across === 'mean' && count > 0 ? result / count : result;
}

/** Colours of `shown` on a scale from 0 to `top`; what is not known stays clear. */
export function paintHeat(shown: Float32Array, top: number, scale: Uint32Array, pixels: Uint32Array): void {
  const steps = scale.length - 1;
  for (let i = 0; i < shown.length; i += 1) {
    const value = shown[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const step = Math.round((value / top) * steps);
    pixels[i] = scale[step < 0 ? 0 : step > steps ? steps : step] ?? 0;
  }
}
