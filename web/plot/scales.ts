import { ticks as roundValues } from 'd3-array';
import { fixed, significant } from './format';
import type { CssPixels } from './useSize';

/** From values to places in a plot [px], and back by `invert`. */
export interface Scale {
  (value: number): CssPixels;
  invert(place: CssPixels): number;
  ends: readonly CssPixels[];
}

/** An axis of values between two ends, straight or logarithmic. */
export interface ValueAxis {
  lo: number;
  hi: number;
  log: boolean;
}

export interface Tick {
  value: number;
  label: string;
}

/** What lies as far from c to d as `value` from a to b; in the middle where these are one. */
const between = (value: number, a: number, b: number, c: number, d: number): number => {
  const share = b === a ? 0.5 : (value - a) / (b - a);
  return c * (1 - share) + d * share;
};

export function scaleOf({ lo, hi, log }: ValueAxis, from: CssPixels, to: CssPixels): Scale {
  const [there, back] = log ? [Math.log, Math.exp] : [Number, Number];
  const [a, b] = [there(lo), there(hi)];
  return Object.assign((value: number) => between(there(value), a, b, from, to), {
    invert: (place: CssPixels) => back(between(place, from, to, a, b)),
    ends: [from, to],
  });
}

/**
 * What a straight axis shows at least, as a share of its values: smaller differences are not blown
 * up to fill it.
 */
const leastSpan = 0.01;

/**
 * From the values to their ends and a margin; a straight axis begins at zero where the values lie
 * near it. Not finite ones are left out.
 */
export function axisOf(values: ArrayLike<number>, log: boolean): ValueAxis {
  let lo = Number.POSITIVE_INFINITY;
  let hi = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    // a comparison with NaN is false; infinities are no place on an axis
    if (value < lo && value > (log ? 0 : Number.NEGATIVE_INFINITY)) lo = value;
    if (value > hi && value < Number.POSITIVE_INFINITY) hi = value;
  }
  if (!(hi >= lo)) return log ? { lo: 0.1, hi: 1, log } : { lo: 0, hi: 1, log };
  if (log) return hi > lo ? { lo: lo / 1.1, hi: hi * 1.1, log } : { lo: lo / 2, hi: hi * 2, log };
  if (lo > 0 && lo < 0.7 * hi) lo = 0;
  const least = leastSpan * Math.max(Math.abs(lo), Math.abs(hi));
  const margin =
    hi === lo ? Math.abs(hi) * 0.1 || 1 : Math.max(0.03 * (hi - lo), (least - (hi - lo)) / 2);
  return { lo: lo === 0 ? 0 : lo - margin, hi: hi + margin, log };
}

/** Round tick values within [lo, hi] and their labels, all with the same number of decimals. */
export function axisTicks(lo: number, hi: number, wanted: number): Tick[] {
  if (!(hi > lo)) return [{ value: lo, label: fixed(lo, Number.isInteger(lo) ? 0 : 2) }];
  const values = roundValues(lo, hi, wanted);
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) : hi - lo;
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return values.map((value) => ({ value, label: fixed(value, decimals) }));
}

/**
 * Round values along the axis in a unit that is `factor` x the values' own. Those of a logarithmic
 * axis are thinned to steps that people count in (1, 2, 5), which d3's own, 1 to 9 in each decade
 * with some of the labels, are not.
 */
export function ticksOf(
  axis: ValueAxis,
  length: CssPixels,
  factor: number,
  pixelsPerTick: CssPixels,
): Tick[] {
  const wanted = Math.max(2, Math.round(length / pixelsPerTick));
  const lo = axis.lo * factor;
  const hi = axis.hi * factor;
  if (!axis.log)
    return axisTicks(lo, hi, wanted).map((tick) => ({ ...tick, value: tick.value / factor }));
  const decades = Math.log10(hi / lo);
  const steps = decades < 1.2 ? [1, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1];
  const every = decades > wanted ? Math.ceil(decades / wanted) : 1;
  const ticks: Tick[] = [];
  for (let power = Math.floor(Math.log10(lo)); power <= Math.ceil(Math.log10(hi)); power += every) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= lo && value <= hi) {
        ticks.push({
          value: value / factor,
          label: value >= 1 ? fixed(value, 0) : significant(value, 1),
        });
      }
    }
  }
  return ticks.length >= 2
    ? ticks
    : axisTicks(lo, hi, wanted).map((tick) => ({ ...tick, value: tick.value / factor }));
}

/**
 * The smallest round number that is not below `value`: where a value axis ends. A scale's nice()
 * looks for its step anew until it stays, and then may end a third further up (14.9 in two ticks:
 * at 20, not 15).
 */
export function roundedUp(value: number, wantedTicks = 3): number {
  if (!(value > 0)) return 1;
  const values = roundValues(0, value, wantedTicks);
  const step = values.length > 1 ? (values[1] ?? 0) - (values[0] ?? 0) : value;
  return Math.ceil(value / step - 1e-9) * step;
}

/** Distances at which a clock has round times [s]. */
const clockSteps = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400],
];

/**
 * Ticks at round times of day. `zero` is the naive epoch time of position 0; labels have seconds
 * only where they differ.
 */
export function clockTicks(lo: number, hi: number, wanted: number, zero: number): Tick[] {
  const rough = (hi - lo) / Math.max(1, wanted);
  const step = clockSteps.find((one) => one >= rough) ?? 86400;
  const first = Math.ceil((zero + lo) / step - 1e-9);
  const last = Math.floor((zero + hi) / step + 1e-9);
  const digits = step < 1 ? Math.max(1, -Math.floor(Math.log10(step) + 1e-9)) : 0;
  const length = step >= 60 ? 5 : digits > 0 ? 9 + digits : 8;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const time = (first + index) * step;
    // rounded first: 10:00:01 less a nanosecond is 10:00:01
    const text = new Date(Math.round(time * 1000)).toISOString().slice(11, 11 + length);
    return { value: time - zero, label: text };
  });
}
