export interface RateScale {
  divisor: number;
  unit: string;
}

const prefixes = ['', 'k', 'M', 'G', 'T'];

/** The SI prefix in which a whole track is printed, by its largest value. */
export function rateScale(largest: number, base: string): RateScale {
  let power = 0;
  while (power < prefixes.length - 1 && largest >= 1000 ** (power + 1)) power += 1;
  return { divisor: 1000 ** power, unit: `${prefixes[power] ?? ''}${base}` };
}
