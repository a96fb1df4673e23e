import type { Seconds } from '../../engine/engine';
import { clockTime, fixed } from '../../plot/format';

/**
 * A moment of the run axis: seconds, or the time of day where `start` (naive epoch time of second
 * 0) is given.
 */
export const momentText = (
  moment: Seconds,
  decimals: number,
  start: Seconds | undefined,
): string =>
  start === undefined ? `${fixed(moment, decimals)}\u2009s` : clockTime(start + moment);

/** As many decimals as tell neighbouring pixels apart, one at least. */
export const decimalsFor = (perPixel: Seconds): number =>
  Math.min(6, Math.max(1, Math.ceil(-Math.log10(Math.max(perPixel, 1e-9)) - 0.3)));
