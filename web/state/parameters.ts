import type { Selection } from '../engine/engine';
import { type Annotation, annotationOf, textOfAnnotation } from './annotations';
import {
  type Codec,
  choices,
  columnRanges,
  flag,
  fullTexts,
  mapped,
  names,
  number,
  numbers,
  oneOf,
  places,
  range,
  text,
  texts,
} from './codecs';
import { coreTimeSplits } from './coreTime';
import { type FlameState, flameLink, parseFlameLink, plainFlame } from './flame';
import type { TimeRange } from './selection';
import { type ViewId, views } from './view';

/**
 * What a link can say: each parameter once, in the order in which they are written. Reading,
 * writing and resetting them (permalink.ts, link.ts) come from here, and with a sentence for each
 * (parameterDocs.ts) the list in docs/links.md.
 */
export interface Parameter<T> {
  /** what it is called in an address */
  names: readonly string[];
  /** undefined: the link does not say it */
  parse(textsOf: (name: string) => readonly string[]): T | undefined;
  format(value: T): readonly (readonly [name: string, text: string])[];
  /** what holds where a link does not say it; it is not written */
  initial: T;
  /**
   * Where it holds: in those views, in all of them, or whatever is shown. A link to a view sets all
   * that holds there, what it does not say to what it was at first.
   */
  views: 'page' | 'all' | readonly ViewId[];
  /** its change is a step that the browser's Back takes back; others only keep the address true */
  step: boolean;
}

interface How<T> {
  initial: T;
  views?: Parameter<T>['views'];
  step?: boolean;
}

/** A parameter with one name. */
function one<T>(name: string, codec: Codec<T>, how: How<NoInfer<T>>): Parameter<T>;
function one<T>(
  name: string,
  codec: Codec<T>,
  how?: Partial<How<NoInfer<T>>>,
): Parameter<T | undefined>;
function one<T>(
  name: string,
  codec: Codec<T>,
  how: Partial<How<T>> = {},
): Parameter<T | undefined> {
  return {
    names: [name],
    parse(textsOf) {
      const found = textsOf(name);
      return found.length > 0 ? codec.parse(found) : undefined;
    },
    format: (value) =>
      value === undefined ? [] : codec.format(value).map((part) => [name, part] as const),
    initial: how.initial,
    views: how.views ?? 'all',
    step: how.step ?? false,
  };
}

/** An object whose members have names of their own; those that say nothing are left out. */
function group<T extends object>(
  members: { [K in keyof T]-?: Parameter<T[K] | undefined> },
  how: { step?: boolean } = {},
): Parameter<T> {
  const entries = Object.entries(members) as [keyof T, Parameter<T[keyof T] | undefined>][];
  return {
    names: entries.flatMap(([, member]) => member.names),
    parse(textsOf) {
      const read = entries.map(([key, member]) => [key, member.parse(textsOf)] as const);
      const said = read.filter(
        ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
      );
      return said.length > 0 ? (Object.fromEntries(said) as T) : undefined;
    },
    format: (value) => entries.flatMap(([key, member]) => member.format(value[key])),
    initial: {} as T,
    views: 'all',
    step: how.step ?? false,
  };
}

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const forms = ['mean', 'heat', 'lines'] as const;
/** How a quantity of many workers is drawn. */
export type Form = (typeof forms)[number];

export const rowOrders = ['mean', 'first_seen', 'peak', 'name', 'host'] as const;
/** What the rows of a heat map are sorted by. */
export type RowOrder = (typeof rowOrders)[number];

export const barColours = ['dataset', 'host', 'rate', 'file'] as const;
/** What colours the bars of chunks; `rate` is seconds per event. */
export type BarColour = (typeof barColours)[number];

export const barKinds = ['chunks', 'stack', 'tasks'] as const;
/** Chunks on inferred lanes, how many of them run, or the recorded task stream. */
export type BarKind = (typeof barKinds)[number];

export const pers = ['absolute', 'million_events', 'share'] as const;
/**
 * In what core-time is compared: as it is, per million events, or as a share of what was available.
 */
export type Per = (typeof pers)[number];

export const dimensionsOfChange = [
  'dataset',
  'section',
  'activity',
  'own',
  'host',
  'frame',
] as const;
/** Along what a change is split; the names of the `compare` question's groups. */
export type DimensionOfChange = (typeof dimensionsOfChange)[number];

export const alignments = ['start', 'chunk', 'progress'] as const;
/** What lies above what where two courses are drawn over each other. */
export type Alignment = (typeof alignments)[number];

export const diffWidths = ['a', 'both', 'b'] as const;
/** Of which run the boxes of the differential flame graph are as wide. */
export type DiffWidth = (typeof diffWidths)[number];

const summary: readonly ViewId[] = ['summary'];
const timelines: readonly ViewId[] = ['timelines'];
const sideBySide: readonly ViewId[] = ['compare', 'scaling'];

const isNatural = (value: number): boolean => Number.isInteger(value) && value >= 0;

const foldings = mapped(
  choices(['0', '1']),
  (read): Readonly<Record<string, boolean>> =>
    Object.fromEntries(Object.entries(read).map(([id, is]) => [id, is === '1'])),
  (given) =>
    Object.fromEntries(Object.entries(given).map(([id, is]) => [id, is ? '1' : '0'] as const)),
);

/** A place has no space in it. */
const annotated: Codec<readonly Annotation[]> = mapped(
  fullTexts,
  (all) => all.map(annotationOf),
  (all) => all.map(textOfAnnotation),
);

const flameJson: Codec<FlameState> = mapped(text, parseFlameLink, flameLink);

export const parameters = {
  embed: one('embed', flag, { initial: false, views: 'page' }),
  urls: one('url', fullTexts, { initial: [], views: 'page' }),
  names: one('name', fullTexts, { initial: [], views: 'page' }),
  run: one('run', number(isNatural), { initial: 0, step: true }),
  view: one('view', oneOf(views.map(({ id }) => id)), { step: true }),
  selection: group<Selection>(
    {
      time: one('select', range(':')),
      datasets: one('dataset', texts),
      files: one('file', texts),
      hosts: one('host', texts),
      workers: one('worker', texts),
      prefixes: one('prefix', texts),
      ranges: one('range', columnRanges),
    },
    { step: true },
  ),
  processor: one('processor', text),

  coreTimeSplit: one('split', oneOf(coreTimeSplits), { initial: 'functions', views: summary }),
  coreTimePart: one('part', text, { initial: '', views: summary }),
  coreTimeZoom: one('in', text, { initial: '', views: summary }),

  zoom: one<TimeRange>('z', range('~'), { views: timelines }),
  pins: one('pin', numbers(2), { initial: [], views: timelines }),
  folded: one('fold', foldings, { initial: {}, views: timelines }),
  chosenForms: one('form', choices(forms), { initial: {}, views: timelines }),
  rowOrder: one('sort', oneOf(rowOrders), { initial: 'mean', views: timelines }),
  barColour: one('bars', oneOf(barColours), { initial: 'dataset', views: timelines }),
  barKind: one('lanes', oneOf(barKinds), { views: timelines }),
  wallClock: one('clock', flag, { initial: false, views: timelines }),

  sides: one('ab', places, { views: sideBySide }),
  per: one('per', oneOf(pers), { initial: 'absolute', views: sideBySide }),
  changeBy: one('by', oneOf(dimensionsOfChange), { views: sideBySide }),
  alignment: one('align', oneOf(alignments), { initial: 'start', views: sideBySide }),
  diffWidth: one('dw', oneOf(diffWidths), { initial: 'both', views: sideBySide }),
  target: one(
    'target',
    number((value) => value > 0),
    {
      views: sideBySide,
    },
  ),
  runColumns: one('cols', names, {
    initial: ['elapsed_time_seconds', 'total_events', 'process_fraction', 'waiting_fraction'],
    views: sideBySide,
  }),

  flame: one('flame', flameJson, { initial: plainFlame, views: ['flame'] }),
  annotations: one('note', annotated, { initial: [], views: 'page' }),
  theme: one('theme', oneOf(themes), { views: 'page' }),
};

type ValueOf<P> = P extends Parameter<infer T> ? T : never;

/** What all parameters are. */
export type Values = { [K in keyof typeof parameters]: ValueOf<(typeof parameters)[K]> };
export type ParameterId = keyof Values;

export const parameterIds = Object.keys(parameters) as ParameterId[];

/** What holds where no link says anything else. */
export const initial = <K extends ParameterId>(id: K): Values[K] =>
  parameters[id].initial as Values[K];

/** Whether a parameter says something of `view`. */
export function holdsIn(id: ParameterId, view: ViewId | undefined): boolean {
  const { views } = parameters[id];
  return views === 'page' || views === 'all' || (view !== undefined && views.includes(view));
}

/** Whether a link to a view that does not say it sets it to what it was at first. */
export const resets = (id: ParameterId): boolean => parameters[id].views !== 'page';
