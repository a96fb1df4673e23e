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
 * The values of a matrix as steps of a colour scale: 0 = nothing known, else 1 (nothing) to 255
 * (`top` and above).
 */
export interface HeatLevels extends Omit<Matrix, 'values'> {
  levels: Uint8Array;
}

export const heatSteps = 255;

export function levelsOf({ values, ...shape }: Matrix, top: number): HeatLevels {
  const levels = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    const level = 1 + Math.round((value / top) * (heatSteps - 1));
    levels[i] = level < 1 ? 1 : level > heatSteps ? heatSteps : level;
  }
  return { ...shape, levels };
}

/**
 * What each pixel column of [begin, end] shows of each row, `columns` pixels per row into `pixels`,
 * in the colours of `scale` (one for each level). Several bins in one column become the smallest,
 * the largest or the mean, so that a spike that is one bin wide stays where it matters. Columns of
 * which nothing is known stay as they are.
 */
export function paintHeat(
  heat: HeatLevels,
  begin: number,
  end: number,
  columns: number,
  across: Across,
  scale: Uint32Array,
  pixels: Uint32Array,
): void {
  const { levels, rows, bins } = heat;
  const perBin = (heat.end - heat.begin) / bins;
  const perColumn = (end - begin) / columns;
  // the bins of a column are the same in every row
  const from = new Int32Array(columns);
  const until = new Int32Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const left = begin + column * perColumn;
    // a column within one bin shows that bin
    const first = Math.floor((left - heat.begin) / perBin + 1e-9);
    const last = Math.max(first, Math.ceil((left + perColumn - heat.begin) / perBin - 1e-9) - 1);
    from[column] = Math.max(0, first);
    until[column] = Math.min(bins - 1, last);
  }
  const mean = across === 'mean';
  const min = across === 'min';
  for (let row = 0; row < rows; row += 1) {
    const base = row * bins;
    const out = row * columns;
    for (let column = 0; column < columns; column += 1) {
      const first = base + (from[column] as number);
      const last = base + (until[column] as number);
      let level = 0;
      let sum = 0;
      let count = 0;
      for (let at = first; at <= last; at += 1) {
        const next = levels[at] as number;
        if (next === 0) continue;
        count += 1;
        sum += next;
        if (count === 1 || (min ? next < level : next > level)) level = next;
      }
      if (count === 0) continue;
      pixels[out + column] = scale[mean ? (sum / count + 0.5) | 0 : level] as number;
    }
  }
}
