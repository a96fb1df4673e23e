/**
 * Numbers as text, after one set of rules: thin space before a unit, comma for thousands, a true
 * minus sign, 3-4 significant digits, SI for data, IEC for process memory. A quantity comes as
 * parts, so that a tile can set units smaller.
 */

import { largest } from './numbers';

export interface Part {
  value: string;
  unit: string;
}

const thinSpace = '\u2009';
const minus = '\u2212';

/** "1 min 54.3 s" from its parts. */
export function partsText(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.unit ? `${part.value}${thinSpace}${part.unit}` : part.value))
    .join(' ');
}

/**
 * A number with `decimals` digits after the point, thousands separated by commas. d3-format says
 * the same, for a tenth of the first script, which has to come before a file can be dropped.
 */
export function fixed(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(decimals);
  const point = digits.indexOf('.');
  const whole = point < 0 ? digits : digits.slice(0, point);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  // "-0.0" would claim a sign that the digits do not show
  const negative = value < 0 && /[1-9]/.test(digits);
  return (negative ? minus : '') + grouped + (point < 0 ? '' : digits.slice(point));
}

/**
 * Three significant digits, never cutting the whole part: 15969.3 is "15,969", 0.0123 is "0.0123".
 */
export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : `${minus}∞`;
  if (value === 0) return '0';
  // round first: 99.96 has as many digits before the point as 100
  const rounded = Math.abs(Number(value.toPrecision(digits)));
  const magnitude = Math.floor(Math.log10(rounded));
  if (magnitude < -6) return value.toExponential(digits - 1).replace('-', minus);
  return fixed(value, Math.max(0, digits - 1 - magnitude));
}

export function scaled(
  value: number,
  unit: string,
  base: number,
  prefixes: readonly string[],
  digits = 3,
): Part {
  let power = 0;
  const size = Math.abs(value);
  // 999.6 would print as "1,000": step up as soon as rounding gets there
  while (power < prefixes.length - 1 && size / base ** power >= base * (base === 1000 ? 0.9995 : 1))
    power += 1;
  return {
    value: significant(value / base ** power, digits),
    unit: `${prefixes[power] ?? ''}${unit}`,
  };
}

const siPrefixes = ['', 'k', 'M', 'G', 'T', 'P'];
const iecPrefixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** Counts are exact below a million, then "2.14 M". Averages of counts keep their fraction. */
export function countPart(value: number): Part {
  if (Math.abs(value) < 1e6)
    return { value: Number.isInteger(value) ? fixed(value, 0) : significant(value), unit: '' };
  const part = scaled(value, '', 1000, siPrefixes, 4);
  return { value: significantUpTo(value, part.unit), unit: part.unit };
}

function significantUpTo(value: number, prefix: string): string {
  const power = siPrefixes.indexOf(prefix);
  return significant(value / 1000 ** power, Math.abs(value) / 1000 ** power >= 100 ? 4 : 3);
}

/** Data volume, SI. */
export function bytesPart(bytes: number): Part {
  return scaled(bytes, 'B', 1000, siPrefixes);
}

/** Process memory and limits, IEC. */
export function memoryPart(bytes: number): Part {
  return scaled(bytes, 'B', 1024, iecPrefixes);
}

/** `12 ms`, `3.67 s`, `1 min 54.3 s`, `2 h 05 min`. */
export function durationParts(seconds: number): Part[] {
  if (!Number.isFinite(seconds)) return [{ value: significant(seconds), unit: '' }];
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? minus : '';
  if (size === 0) return [{ value: '0', unit: 's' }];
  if (size < 0.9995e-3) return [{ value: significant(seconds * 1e6), unit: 'µs' }];
  if (size < 0.9995) return [{ value: significant(seconds * 1e3), unit: 'ms' }];
  if (size < 59.95) return [{ value: significant(seconds), unit: 's' }];
  if (size < 3599.95) {
    const tenths = Math.round(size * 10);
    return [
      { value: `${sign}${Math.floor(tenths / 600)}`, unit: 'min' },
      { value: fixed((tenths % 600) / 10, 1), unit: 's' },
    ];
  }
  const minutes = Math.round(size / 60);
  return [
    { value: `${sign}${fixed(Math.floor(minutes / 60), 0)}`, unit: 'h' },
    { value: String(minutes % 60).padStart(2, '0'), unit: 'min' },
  ];
}

/** A fraction as percent with one decimal; "0 %" only for exact zero. */
export function percentPart(fraction: number): Part {
  const percent = fraction * 100;
  if (percent === 0) return { value: '0', unit: '%' };
  if (Math.abs(percent) < 0.1)
    return { value: percent > 0 ? `<${thinSpace}0.1` : `>${thinSpace}${minus}0.1`, unit: '%' };
  return { value: fixed(percent, 1), unit: '%' };
}

/** The text of a difference with its sign, which stands at the number: "+3.2 %", "< +0.1 %". */
export const signed = (text: string, value: number): string =>
  value > 0 ? text.replace(/^(<\s)?/, '$1+') : text;

/** What several numbers that stand together are divided by, and the unit in which they then are. */
export interface Scale {
  divisor: number;
  unit: string;
}
export type CoreTimeScale = Scale;

/**
 * core-s up to 10⁴ and where that is not known, then core-h: of one number, or of the largest of
 * those that stand together.
 */
export const coreTimeScale = (largest: number): CoreTimeScale =>
  Math.abs(largest) >= 1e4 ? { divisor: 3600, unit: 'core-h' } : { divisor: 1, unit: 'core-s' };

export function coreTimePart(
  coreSeconds: number,
  scale = coreTimeScale(coreSeconds),
  digits?: number,
): Part {
  return { value: significant(coreSeconds / scale.divisor, digits), unit: scale.unit };
}

export const count = (value: number): string => partsText([countPart(value)]);
export const bytes = (value: number): string => partsText([bytesPart(value)]);
export const memory = (value: number): string => partsText([memoryPart(value)]);
export const duration = (seconds: number): string => partsText(durationParts(seconds));
export const percent = (fraction: number): string => partsText([percentPart(fraction)]);
export const coreTime = (coreSeconds: number, scale?: CoreTimeScale): string =>
  partsText([coreTimePart(coreSeconds, scale)]);
/** Without its unit, where that stands beside it. */
export const coreTimeValue = (
  coreSeconds: number,
  scale?: CoreTimeScale,
  digits?: number,
): string => coreTimePart(coreSeconds, scale, digits).value;

/** [µs] of a time per event, and [MB] of bytes, where the unit stands in a heading. */
export const microseconds = (seconds: number): string =>
  Number.isFinite(seconds) ? significant(1e6 * seconds) : '–';
export const inMegabytes = (of: number): number => of / 1e6;
export const megabytes = (of: number): string =>
  Number.isFinite(of) ? significant(inMegabytes(of)) : '–';

/** In seconds alone: what stands among seconds is compared with them at a glance. */
export const inSeconds = (seconds: number): string => withUnit(significant(seconds), 's');

/** From here on minutes say more. */
const mostSeconds = 600;

/** How times up to `longest` are said beside one that is of seconds: in seconds, too. */
export const durationBeside = (one: number, longest: number): ((seconds: number) => string) =>
  one < 59.95 && longest < mostSeconds ? inSeconds : duration;

/** "8.72–12.9 s", "56.9 s – 1 min 37.4 s": one unit where both have the same. */
export function durationRange(low: number, high: number, say = duration): string {
  if (say === inSeconds) return `${significant(low)}–${inSeconds(high)}`;
  const [from, ...more] = durationParts(low);
  const [to, ...others] = durationParts(high);
  return from && to && from.unit === to.unit && more.length + others.length === 0
    ? `${from.value}–${partsText([to])}`
    : `${duration(low)} – ${duration(high)}`;
}

/** A sentence of which no line ends between a number and its unit, or within an option's name. */
export const unbroken = (sentence: string): string =>
  sentence
    .replace(/(\d) /g, '$1\u00a0')
    .replace(/core-s|--[a-z-]+/g, (word) => word.replaceAll('-', '\u2060-\u2060'));

/** A number and its unit with the thin space. */
export const withUnit = (value: string, unit: string): string => partsText([{ value, unit }]);

/**
 * How many decimals a column of numbers needs so that its largest has about three significant
 * digits.
 */
export function columnDecimals(values: ArrayLike<number>): number {
  let largest = 0;
  let whole = true;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    largest = Math.max(largest, Math.abs(value));
    whole = whole && Number.isInteger(value);
  }
  if (whole || largest >= 1000) return 0;
  if (largest >= 100) return 1;
  if (largest >= 1) return 2;
  return largest >= 0.1 ? 3 : 4;
}

/** The power of 1000 in which a column is printed, and its prefix. */
function columnScale(values: ArrayLike<number>): { divisor: number; prefix: string } {
  const top = largest(Array.from(values, Math.abs));
  let power = 0;
  while (power < siPrefixes.length - 1 && top / 1000 ** power >= 1000) power += 1;
  return { divisor: 1000 ** power, prefix: siPrefixes[power] ?? '' };
}

/** What a column of numbers in `unit` is divided by, and the unit in which it is then printed. */
export function columnUnit(
  values: ArrayLike<number>,
  unit: string,
): { divisor: number; unit: string } {
  if (unit === 's') {
    const top = largest(values);
    if (top > 0 && top < 1e-3) return { divisor: 1e-6, unit: 'µs' };
    return top > 0 && top < 1 ? { divisor: 1e-3, unit: 'ms' } : { divisor: 1, unit };
  }
  if (unit !== 'byte' && unit !== 'byte/s') return { divisor: 1, unit };
  const { divisor, prefix } = columnScale(values);
  return { divisor, unit: `${prefix}${unit.replace('byte', 'B')}` };
}

/**
 * The SI prefix in which what goes up to `largest` is printed: `divisor` of `base` are one `unit`.
 */
export function rateScale(largest: number, base: string): { divisor: number; unit: string } {
  const { divisor, prefix } = columnScale([largest]);
  return { divisor, unit: `${prefix}${base}` };
}

/** "2025-12-16T14:02:07.100Z"; '' where it is no date. */
function isoText(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** "2025-12-16 14:02", as in a log. `epochSeconds` already carries its zone. */
export const dateTime = (epochSeconds: number): string =>
  isoText(epochSeconds).slice(0, 16).replace('T', ' ');

/** "14:03:07.1", the time of day. */
export const clockTime = (epochSeconds: number): string => isoText(epochSeconds).slice(11, 21);

/** What there is of several texts, one after the other. */
export const listed = (texts: readonly (string | false | undefined)[], between = ' · '): string =>
  texts.filter(Boolean).join(between);
