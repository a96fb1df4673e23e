/** How values are written in an address, and read from it. */

import type { ColumnRange } from './ranges';

export interface Codec<T> {
  /** From the texts that stand behind a name, decoded; undefined where they mean nothing. */
  parse(texts: readonly string[]): T | undefined;
  /**
   * As they stand in an address, with what must be escaped escaped; '' = the name alone, none =
   * left out.
   */
  format(value: T): readonly string[];
  /** the values, where they can be counted */
  known?: readonly string[];
}

/** Half a surrogate pair is no character: an address cannot hold it. */
const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** The shortest text that means just that number; a plus sign would be read as a space. */
const plain = (value: number): string => String(value).replace('+', '');

/** There or not. */
export const flag: Codec<boolean> = { parse: () => true, format: (value) => (value ? [''] : []) };

export const text: Codec<string> = { parse: ([one]) => one, format: (value) => [escaped(value)] };

/** The name repeats. */
export const texts: Codec<string[]> = {
  parse: (all) => [...all],
  format: (value) => value.map(escaped),
};

/** The same, where nothing is called nothing. */
export const fullTexts: Codec<string[]> = { ...texts, parse: (all) => all.filter(Boolean) };

/** A number of which `holds` is true. */
export const number = (holds: (value: number) => boolean): Codec<number> => ({
  parse: ([one = '']) =>
    Number.isFinite(numberOf(one)) && holds(numberOf(one)) ? numberOf(one) : undefined,
  format: (value) => [plain(value)],
});

/** One of the names that are known. */
export const oneOf = <T extends string>(known: readonly T[]): Codec<T> => ({
  parse: ([one]) => known.find((name) => name === one),
  format: (value) => [value],
  known,
});

/** Two numbers, the second greater. */
export const range = (separator: string): Codec<[number, number]> => ({
  parse([one = '']) {
    const [begin = Number.NaN, end = Number.NaN, ...rest] = one.split(separator).map(numberOf);
    return rest.length === 0 && Number.isFinite(begin) && Number.isFinite(end) && end > begin
      ? [begin, end]
      : undefined;
  },
  format: (value) => [value.map(plain).join(separator)],
});

/** Numbers, `most` of them. */
export const numbers = (most: number): Codec<readonly number[]> => ({
  parse: ([one = '']) => one.split('~').map(numberOf).filter(Number.isFinite).slice(0, most),
  format: (value) => [value.map(plain).join('~')],
});

/**
 * Places in a list on two sides, each place once: "0~2", with replicates of either "0-3~2-4". The
 * first of a side leads it.
 */
export const places: Codec<readonly [a: readonly number[], b: readonly number[]]> = {
  parse([one = '']) {
    const [, a, b] = /^(\d+(?:-\d+)*)~(\d+(?:-\d+)*)$/.exec(one) ?? [];
    if (a === undefined || b === undefined) return undefined;
    const sides = [a, b].map((side) => side.split('-').map(Number));
    const all = sides.flat();
    return new Set(all).size === all.length ? [sides[0] ?? [], sides[1] ?? []] : undefined;
  },
  format: (value) => [value.map((side) => side.join('-')).join('~')],
};

// what separates them is escaped within names: they may be called anything
const inList = (name: string): string => name.replace(/[%~.]/g, escapedByte);
const escapedByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const unescaped = (name: string): string =>
  name.replace(/%(25|7E|2E)/g, (code) => decodeURIComponent(code));

/** What was chosen of some names, of the values that are known: "cpu.heat~memory.lines". */
export const choices = <T extends string>(
  known: readonly T[],
): Codec<Readonly<Record<string, T>>> => ({
  parse([one = '']) {
    const pairs = one.split('~').flatMap((part) => {
      const [name = '', value] = part.split('.');
      const understood = known.find((choice) => choice === value);
      return understood ? [[unescaped(name), understood] as const] : [];
    });
    return Object.fromEntries(pairs) as Record<string, T>;
  },
  format: (value) => [
    escaped(
      Object.entries(value)
        .map(([name, choice]) => `${inList(name)}.${choice}`)
        .join('~'),
    ),
  ],
  known,
});

/** The same value in other clothes. */
export const mapped = <A, B>(
  codec: Codec<A>,
  to: (from: A) => B,
  from: (to: B) => A,
): Codec<B> => ({
  parse(given) {
    const read = codec.parse(given);
    return read === undefined ? undefined : to(read);
  },
  format: (value) => codec.format(from(value)),
});

/** Ranges of columns, whatever these are called: "section:load:1:2.5". The name repeats. */
export const columnRanges: Codec<ColumnRange[]> = {
  parse: (all) =>
    all.flatMap((one) => {
      const parts = one.split(':');
      const [lo = Number.NaN, hi = Number.NaN] = parts.slice(-2).map(numberOf);
      const isRange = parts.length > 2 && Number.isFinite(lo) && Number.isFinite(hi);
      return isRange ? [{ column: parts.slice(0, -2).join(':'), lo, hi }] : [];
    }),
  format: (value) =>
    value.map(({ column, lo, hi }) => `${escaped(column)}:${plain(lo)}:${plain(hi)}`),
};
