import { at, lastNotAbove } from './numbers';

/**
 * A quantity that is held from one edge to the next: `values[i]` is true from `edges[i]` to
 * `edges[i + 1]`, NaN where nothing is known. Sampled and swept values both have this form, so
 * tracks draw only this.
 */
export interface Steps {
  /** ascending, one more than values */
  edges: Float64Array;
  values: Float64Array;
}

/**
 * Where sampling stopped for longer than this many usual intervals the value is unknown, not held.
 */
const heldIntervals = 3;

/** Samples held until the next one, the last until `end`; silent stretches become NaN steps. */
export function heldSamples(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  end: number,
): Steps {
  const usual = medianInterval(times);
  const edges: number[] = [];
  const held: number[] = [];
  for (let i = 0; i < times.length; i += 1) {
    const begin = at(times, i);
    const next = i + 1 < times.length ? at(times, i + 1) : Math.max(end, begin);
    edges.push(begin);
    held.push(at(values, i));
    if (usual > 0 && next - begin > heldIntervals * usual && i + 1 < times.length) {
      edges.push(begin + usual);
      held.push(Number.NaN);
    }
  }
  if (times.length > 0) edges.push(Math.max(end, at(times, times.length - 1)));
  return { edges: Float64Array.from(edges), values: Float64Array.from(held) };
}

/** Rows of adjoining intervals [begin, end). */
export function intervals(
  begins: ArrayLike<number>,
  ends: ArrayLike<number>,
  values: ArrayLike<number>,
): Steps {
  const edges = new Float64Array(begins.length === 0 ? 0 : begins.length + 1);
  for (let i = 0; i < begins.length; i += 1) edges[i] = at(begins, i);
  if (begins.length > 0) edges[begins.length] = at(ends, ends.length - 1);
  return { edges, values: Float64Array.from(values) };
}

/** The usual distance of two samples; 0 when there are fewer than two. */
function medianInterval(times: ArrayLike<number>): number {
  if (times.length < 2) return 0;
  const gaps = new Float64Array(times.length - 1);
  for (let i = 0; i + 1 < times.length; i += 1) gaps[i] = at(times, i + 1) - at(times, i);
  gaps.sort();
  return at(gaps, gaps.length >> 1);
}

/** The value that holds at `x`; NaN outside. */
export function valueAt(steps: Steps, x: number): number {
  const index = lastNotAbove(steps.edges, x);
  return index < 0 || index >= steps.values.length ? Number.NaN : at(steps.values, index);
}

/** The stretches in which nothing is known although there is something before and after. */
export function holes(steps: Steps): [number, number][] {
  const result: [number, number][] = [];
  let seen = false;
  let holeBegin = -1;
  for (let i = 0; i < steps.values.length; i += 1) {
    const known = Number.isFinite(at(steps.values, i));
    if (known && holeBegin >= 0) {
      result.push([at(steps.edges, holeBegin), at(steps.edges, i)]);
      holeBegin = -1;
    }
    if (known) seen = true;
    else if (seen && holeBegin < 0) holeBegin = i;
  }
  return result;
}
