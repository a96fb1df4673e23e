import { ticks } from 'd3-array';
import { fixed } from './format';

export interface Tick {
  value: number;
  label: string;
}

/** Round tick values within [lo, hi] and their labels, all with the same number of decimals. */
export function axisTicks(lo: number, hi: number, wanted: number): Tick[] {
  if (!(hi > lo)) return [{ value: lo, label: fixed(lo, Number.isInteger(lo) ? 0 : 2) }];
  const values = ticks(lo, hi, wanted);
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) : hi - lo;
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return values.map((value) => ({ value, label: fixed(value, decimals) }));
}

/** The smallest round number that is not below `value`: where a value axis ends. */
export function roundedUp(value: number, wantedTicks = 3): number {
  if (!(value > 0)) return 1;
  const values = ticks(0, value, wantedTicks);
  const step = values.length > 1 ? (values[1] ?? 0) - (values[0] ?? 0) : value;
  return Math.ceil(value / step - 1e-9) * step;
}

/** Distances at which a clock has round times [s]. */
const clockSteps = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400],
];

/** Ticks at round times of day. `zero` is the naive epoch time of position 0; labels have seconds only where they differ. */
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
