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
