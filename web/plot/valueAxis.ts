import { fixed, significant } from './format';
import { axisTicks, type Tick } from './ticks';
import type { CssPixels } from './useSize';

/** An axis of values between two ends, straight or logarithmic. */
export interface ValueAxis {
  lo: number;
  hi: number;
  log: boolean;
}

/** What a straight axis shows at least, as a share of its values: smaller differences are not blown up to fill it. */
const leastSpan = 0.01;

/**
 * From the values to their ends and a margin; a straight axis begins at zero where the values lie near it. Not finite ones are
 * left out.
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
  const margin = hi === lo ? Math.abs(hi) * 0.1 || 1 : Math.max(0.03 * (hi - lo), (least - (hi - lo)) / 2);
  return { lo: lo === 0 ? 0 : lo - margin, hi: hi + margin, log };
}

/** Where `value` lies, as a share of the axis: below 0 or above 1 outside, NaN where it has no place. */
export function shareOf(axis: ValueAxis, value: number): number {
  return axis.log ? Math.log(value / axis.lo) / Math.log(axis.hi / axis.lo) : (value - axis.lo) / (axis.hi - axis.lo);
}

export function valueAtShare(axis: ValueAxis, share: number): number {
  return axis.log ? axis.lo * (axis.hi / axis.lo) ** share : axis.lo + share * (axis.hi - axis.lo);
}

/** Round values along the axis in a unit that is `factor` x the values' own. */
export function ticksOf(axis: ValueAxis, length: CssPixels, factor: number, pixelsPerTick: CssPixels): Tick[] {
  const wanted = Math.max(2, Math.round(length / pixelsPerTick));
  const lo = axis.lo * factor;
  const hi = axis.hi * factor;
  if (!axis.log) return axisTicks(lo, hi, wanted).map((tick) => ({ ...tick, value: tick.value / factor }));
  const decades = Math.log10(hi / lo);
  const steps = decades < 1.2 ? [1, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1];
  const every = decades > wanted ? Math.ceil(decades / wanted) : 1;
  const ticks: Tick[] = [];
  for (let power = Math.floor(Math.log10(lo)); power <= Math.ceil(Math.log10(hi)); power += every) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= lo && value <= hi) {
        ticks.push({ value: value / factor, label: value >= 1 ? fixed(value, 0) : significant(value, 1) });
      }
    }
  }
  return ticks.length >= 2 ? ticks : axisTicks(lo, hi, wanted).map((tick) => ({ ...tick, value: tick.value / factor }));
}
