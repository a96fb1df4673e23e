import {
  bytes,
  coreTime,
  coreTimeScale,
  count,
  duration,
  percent,
  significant,
} from '../../../plot/format';

/** What a profile's numbers are. */
export interface Amounts {
  total: number;
  /** "samples", "s", "byte", or what another tool calls it */
  unit: string;
  /** NaN when samples have no time */
  secondsPerSample: number;
}

/** As an answer notes it. */
export const amountsOf = (notes: Record<string, number | string>): Amounts => ({
  total: Number(notes.total ?? Number.NaN),
  unit: typeof notes.unit === 'string' ? notes.unit : 'samples',
  secondsPerSample: Number(notes.seconds_per_sample ?? Number.NaN),
});

export const shareText = (of: Amounts, amount: number): string =>
  of.total > 0 ? percent(amount / of.total) : '–';

/** Of one of the profile's unit [core-s]; NaN where it is no core time. */
function coreSecondsOf({ unit, secondsPerSample }: Amounts): number {
  if (unit === 'core-s') return 1;
  return unit === 'samples' ? secondsPerSample : Number.NaN;
}

/** An amount of the profile's unit for people: core time where samples have one, else the number. */
export function amountText(of: Amounts, amount: number): string {
  const seconds = coreSecondsOf(of);
  if (Number.isFinite(seconds))
    return coreTime(amount * seconds, coreTimeScale(of.total * seconds));
  if (of.unit === 's') return duration(amount);
  if (of.unit === 'byte') return bytes(amount);
  if (of.unit === 'samples') return `${count(Math.round(amount * 10) / 10)} samples`;
  return `${significant(amount)} ${of.unit}`;
}

/** From the profile's unit to that in which the whole is printed; undefined = no core time. */
export function coreFactor(of: Amounts): number | undefined {
  const seconds = coreSecondsOf(of);
  return Number.isFinite(seconds) ? seconds / coreTimeScale(of.total * seconds).divisor : undefined;
}

/** The unit of what stands in boxes and cells; "" where they are shares. */
export const boxUnit = (of: Amounts): string =>
  coreFactor(of) === undefined ? '' : coreTimeScale(of.total * coreSecondsOf(of)).unit;

/** What stands in a box or cell, whose unit the axis or head says: core time, else its share. */
export function boxText(of: Amounts, amount: number): string {
  const factor = coreFactor(of);
  return factor === undefined ? shareText(of, amount) : significant(amount * factor);
}

/** When it is, where boxes stand in the order of time. */
export const momentText = (of: Amounts, moment: number): string =>
  of.unit === 'samples' && Number.isFinite(of.secondsPerSample)
    ? duration(moment * of.secondsPerSample)
    : amountText(of, moment);
