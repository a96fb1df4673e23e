import { type Signal, signal } from '@preact/signals';
import type { Codec } from './codecs';

/** What a link can say of one thing: its names in an address, how it is written, where it is kept. */
export interface Parameter<T> {
  /** what it is called in an address; docs/links.md says of it what its comment says */
  names: readonly string[];
  /** its values, where they can be counted */
  known?: readonly string[] | undefined;
  /** undefined: the link does not say it */
  parse(textsOf: (name: string) => readonly string[]): T | undefined;
  format(value: T): readonly (readonly [name: string, text: string])[];
  /** what holds where a link does not say it; it is not written */
  initial: T;
  /** of the page, whatever is shown and followed: a link that does not say it leaves it as it is */
  lasting: boolean;
  /** its change is a step that the browser's Back takes back; others only keep the address true */
  step: boolean;
  get(): T;
  /** without it, a link is followed elsewhere: files are opened, the frame is made */
  set?: ((value: T) => void) | undefined;
  /** the same where runs have other places; −1 = that run is not open */
  placed?: ((value: T, placeHere: (place: number) => number) => T) | undefined;
}

/** Where it is kept, and the rest of a parameter that is not the usual. */
type How<T> = Pick<Parameter<T>, 'get' | 'set' | 'placed'> & {
  initial: T;
  lasting?: boolean;
  step?: boolean;
};

/** A parameter with one name, which is not a signal of its own. */
export function parameter<T, V extends T>(
  name: string,
  codec: Codec<V>,
  { lasting = false, step = false, ...how }: How<T>,
): Parameter<T> {
  return { ...codecOf(name, codec), ...how, names: [name], lasting, step };
}

const codecOf = <T>(name: string, codec: Codec<T>) => ({
  known: codec.known,
  parse(textsOf: (name: string) => readonly string[]): T | undefined {
    const found = textsOf(name);
    return found.length > 0 ? codec.parse(found) : undefined;
  },
  format: (value: unknown) =>
    value === undefined ? [] : codec.format(value as T).map((part) => [name, part] as const),
});

/** Members of an object, each with a name of its own. */
export function group<T extends object>(
  members: {
    [K in keyof T]-?: readonly [name: string, codec: Codec<NonNullable<T[K]>>];
  },
  { lasting = false, step = false, ...how }: Omit<How<T>, 'initial'>,
): Parameter<T> {
  const entries = (Object.keys(members) as (keyof T)[]).map((key) => {
    const [name, codec] = members[key];
    return { key, name, ...codecOf(name, codec) };
  });
  return {
    ...how,
    names: entries.map(({ name }) => name),
    parse(textsOf) {
      const said = entries
        .map(({ key, parse }) => [key, parse(textsOf)] as const)
        .filter(
          ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
        );
      return said.length > 0 ? (Object.fromEntries(said) as T) : undefined;
    },
    format: (value) => entries.flatMap(({ key, format }) => format(value[key])),
    initial: {} as T,
    lasting,
    step,
  };
}

/** A signal that stands in the address. */
export type Linked<T> = Signal<T> & { readonly parameter: Parameter<T> };

/** A signal that links say and set; without `initial` it begins undefined. */
export function linked<T>(name: string, codec: Codec<T>, initial: NoInfer<T>): Linked<T>;
export function linked<T>(name: string, codec: Codec<T>): Linked<T | undefined>;
export function linked<T>(name: string, codec: Codec<T>, initial?: T): Linked<T | undefined> {
  const state = signal(initial);
  const set = (value: T | undefined) => {
    state.value = value;
  };
  const own = parameter<T | undefined, T>(name, codec, {
    initial,
    get: () => state.value,
    set,
  });
  return Object.assign(state, { parameter: own });
}

/** Parameters, and signals that have one, by their names in the code. */
// biome-ignore lint/suspicious/noExplicitAny: a parameter is of one type of value, a list of many
export type Parameters = Readonly<Record<string, Parameter<any> | Linked<any>>>;

export const parameterOf = (one: Parameters[string]): Parameter<unknown> =>
  'parameter' in one ? one.parameter : one;
