import { bytes, coreTime, count, duration, percent, significant } from '../../../plot/format';

/** What a profile's numbers are. */
export interface Amounts {
  total: number;
  /** "samples", "s", "byte", or what another tool calls it */
  unit: string;
  /** NaN when samples have no time */
  secondsPerSample: number;
}

export const shareText = (of: Amounts, amount: number): string =>
  of.total > 0 ? percent(amount / of.total) : '–';

/** An amount of the profile's unit for people: core time where samples have one, else the number. */
export function amountText(of: Amounts, amount: number): string {
  if (of.unit === 's') return duration(amount);
  if (of.unit === 'core-s') return coreTime(amount);
  if (of.unit === 'byte') return bytes(amount);
  if (of.unit !== 'samples') return `${significant(amount)} ${of.unit}`;
  if (Number.isFinite(of.secondsPerSample)) return coreTime(amount * of.secondsPerSample);
  return `${count(Math.round(amount * 10) / 10)} samples`;
}

/** When it is, where boxes stand in the order of time. */
export const momentText = (of: Amounts, moment: number): string =>
  of.unit === 'samples' && Number.isFinite(of.secondsPerSample)
    ? duration(moment * of.secondsPerSample)
    : amountText(of, moment);
