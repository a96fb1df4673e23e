/** Reading typed arrays: out of range is missing, as a NaN in a column is. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN;
}

export function clamp(value: number, lo: number, hi: number): number {
  return value < lo ? lo : Math.min(value, hi);
}

/** The largest finite value; 0 when there is none. */
export function largest(values: ArrayLike<number>): number {
  let result = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    const value = at(values, i);
    if (value > result && value !== Number.POSITIVE_INFINITY) result = value;
  }
  return result === Number.NEGATIVE_INFINITY ? 0 : result;
}

/** The value below which `share` of the finite ones lie (nearest rank); NaN when there is none. */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOf(inOrder(values), share);
}

/** The finite ones, ascending. */
export const inOrder = (values: ArrayLike<number>): Float64Array =>
  Float64Array.from(values).filter(Number.isFinite).sort();

/** `quantile` of values in order. */
export const quantileOf = (sorted: Float64Array, share: number): number =>
  at(sorted, Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1)));

/**
 * The first of the indices [from, until) that `is` so, where all after it are so, too; `until` when
 * none is.
 */
export function firstWhere(from: number, until: number, is: (index: number) => boolean): number {
  let lo = from;
  let hi = until;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if (is(middle)) hi = middle;
    else lo = middle + 1;
  }
  return lo;
}

/**
 * The index of the last element that is not above `value` in an ascending array; -1 when all are.
 */
export const lastNotAbove = (ascending: ArrayLike<number>, value: number): number =>
  firstWhere(0, ascending.length, (i) => !(at(ascending, i) <= value)) - 1;

export const map = (
  values: ArrayLike<number>,
  change: (value: number, index: number) => number,
): Float64Array => Float64Array.from(values, change);

/** The places of the finite ones, the largest first. */
export const largestFirst = (values: ArrayLike<number>): number[] =>
  Array.from(values, (_, index) => index)
    .filter((index) => Number.isFinite(values[index]))
    .sort((a, b) => at(values, b) - at(values, a));
