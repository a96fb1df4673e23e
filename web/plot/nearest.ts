import type { CssPixels } from './useSize';

/** Finds points near a place without looking at all of them: points sorted into square cells. */
export interface PointIndex {
  nearest: (x: CssPixels, y: CssPixels, within: CssPixels) => number | undefined;
}

const cell: CssPixels = 16;

export function indexPoints(
  x: Float32Array,
  y: Float32Array,
  width: CssPixels,
  height: CssPixels,
): PointIndex {
  const columns = Math.max(1, Math.ceil(width / cell) + 1);
  const rows = Math.max(1, Math.ceil(height / cell) + 1);
  const cellOf = (i: number) =>
    Math.floor((y[i] as number) / cell) * columns + Math.floor((x[i] as number) / cell);
  const isPlaced = (i: number) => (x[i] as number) >= 0 && (y[i] as number) >= 0;
  // counting sort: begins[c] … begins[c + 1] are the points of cell c
  const begins = new Uint32Array(columns * rows + 1);
  for (let i = 0; i < x.length; i += 1)
    if (isPlaced(i)) begins[cellOf(i) + 1] = (begins[cellOf(i) + 1] ?? 0) + 1;
  for (let c = 0; c < columns * rows; c += 1)
    begins[c + 1] = (begins[c + 1] ?? 0) + (begins[c] ?? 0);
  const next = begins.slice();
  const sorted = new Uint32Array(begins[columns * rows] ?? 0);
  for (let i = 0; i < x.length; i += 1) {
    if (!isPlaced(i)) continue;
    const c = cellOf(i);
    const place = next[c] ?? 0;
    sorted[place] = i;
    next[c] = place + 1;
  }
  return {
    nearest(atX, atY, within) {
      let best: number | undefined;
      let bestDistance = within * within;
      const reach = Math.ceil(within / cell);
      const column = Math.floor(atX / cell);
      const row = Math.floor(atY / cell);
      for (let r = Math.max(0, row - reach); r <= Math.min(rows - 1, row + reach); r += 1) {
        for (
          let c = Math.max(0, column - reach);
          c <= Math.min(columns - 1, column + reach);
          c += 1
        ) {
          const end = begins[r * columns + c + 1] ?? 0;
          for (let place = begins[r * columns + c] ?? 0; place < end; place += 1) {
            const i = sorted[place] as number;
            const distance = ((x[i] as number) - atX) ** 2 + ((y[i] as number) - atY) ** 2;
            if (
              distance < bestDistance ||
              (distance === bestDistance && best !== undefined && i < best)
            ) {
              best = i;
              bestDistance = distance;
            }
          }
        }
      }
      return best;
    },
  };
}
