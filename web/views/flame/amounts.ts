import { count, duration, percent, significant } from '../../charts/format';
import type { FlameBoxes } from './flameBoxes';

/** An amount of the profile's unit for people: its share first, then time where samples have one, else the number. */
export const shareText = (boxes: FlameBoxes, amount: number): string =>
  boxes.total > 0 ? percent(amount / boxes.total) : '–';

export function amountText(boxes: FlameBoxes, amount: number): string {
  if (boxes.unit === 'samples') {
    const samples = `${count(Math.round(amount * 10) / 10)} samples`;
    return Number.isFinite(boxes.secondsPerSample) ? `≈ ${duration(amount * boxes.secondsPerSample)}` : samples;
  }
  const seconds: Record<string, number> = { seconds: 1, milliseconds: 1e-3, microseconds: 1e-6, nanoseconds: 1e-9 };
  const factor = seconds[boxes.unit];
  return factor === undefined
    ? `${significant(amount)} ${boxes.unit === 'none' ? '' : boxes.unit}`
    : duration(amount * factor);
}
