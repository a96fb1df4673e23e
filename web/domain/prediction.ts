/** Half of an interval beside its middle from which on no number in it may stand for it. */
export const cannotTell = 0.3;

/** Half of the interval beside its middle. */
export const halfWidth = (low: number, high: number): number => (high - low) / (high + low);
