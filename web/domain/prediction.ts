/** Half of an interval beside its middle from which on no number in it may stand for it. */
export const cannotTell = 0.3;

/** Half of the interval beside its middle. */
export const halfWidth = (low: number, high: number): number => (high - low) / (high + low);

/**
 * Whether one number may stand for a predicted time [s]: its band is narrow, and all of it is
 * shorter than what was measured, or all of it longer. A band that is not known hides no doubt.
 */
export const isDecided = (low: number, high: number, measured: number): boolean =>
  !(halfWidth(low, high) > cannotTell) && !(low < measured && high > measured);
