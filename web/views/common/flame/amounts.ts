import { bytes, count, duration, percent, significant } from '../../../plot/format';

/** What a profile's numbers are. */
export interface Amounts {
  total: number;
  /** "samples", "s", "byte", or what another tool calls it */
  unit: string;
  /** NaN when samples have no time */
  secondsPerSample: number;
}

/**
 * An amount of the profile's unit for people: its share first, then time where samples have one,
 * else the number.
 */
export const shareText = (of: Amounts, amount: number): string =>
  of.total > 0 ? percent(amount / of.total) : '–';

export function amountText(of: Amounts, amount: number): string {
  if (of.unit === 's') return duration(amount);
  if (of.unit === 'byte') return bytes(amount);
  if (of.unit !== 'samples') return `${significant(amount)} ${of.unit}`;
  if (Number.isFinite(of.secondsPerSample)) return `≈ ${duration(amount * of.secondsPerSample)}`;
  return `${count(Math.round(amount * 10) / 10)} samples`;
}
