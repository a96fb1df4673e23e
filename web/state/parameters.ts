import type { Selection } from '../engine/engine';
import { type Annotation, annotationOf, annotations, textOfAnnotation } from './annotations';
import {
  type Codec,
  columnRanges,
  flag,
  fullTexts,
  mapped,
  number,
  oneOf,
  range,
  text,
  texts,
} from './codecs';
import { embedded } from './embed';
import { currentFinding, followFinding } from './finding';
import { group, type Parameter, type Parameters, parameter, parameterOf } from './parameter';
import { chooseProcessor, processorOf } from './processor';
import { activeRunId, openedUrls, openRuns, showRun } from './runs';
import { select, selection } from './selection';
import { chosenTheme, showTheme, type Theme, themes } from './theme';
import { tabOf, type ViewId, view, viewNamed, views } from './view';

/**
 * What links say of the page, in the order in which it is written; views have their own. The comment
 * on a parameter is what docs/links.md says of it.
 */
const ofPage = {
  /** The page is embedded in another page: small, and it stores nothing. */
  embed: parameter<boolean, boolean>('embed', flag, {
    initial: false,
    lasting: true,
    get: () => embedded.value,
  }),
  /** What is opened: a file, an archive, a folder ending in “/”; may repeat. */
  urls: parameter<readonly string[], string[]>('url', fullTexts, {
    initial: [],
    lasting: true,
    get: () => openedUrls.value,
  }),
  /** What runs are called that came from files, which a link cannot bring: whoever follows it is asked for them; may repeat. */
  names: parameter<readonly string[], string[]>('name', fullTexts, {
    initial: [],
    lasting: true,
    get: () =>
      openRuns.value
        .filter(({ origin }) => origin.urls.length === 0 && !origin.enclosed)
        .map(({ title }) => title)
        .filter(Boolean),
  }),
  /** Which of the open runs is shown, from 0. */
  run: parameter<number, number>(
    'run',
    number((value) => Number.isInteger(value) && value >= 0),
    {
      initial: 0,
      step: true,
      get: () =>
        Math.max(
          0,
          openRuns.value.findIndex((run) => run.id === activeRunId.value),
        ),
      set: (place) => {
        const wanted = openRuns.peek()[place];
        if (wanted) showRun(wanted.id);
      },
      placed: (place, placeHere) => placeHere(place),
    },
  ),
  /** The view. */
  view: parameter<ViewId | undefined, ViewId>(
    'view',
    { parse: ([one]) => viewNamed(one), format: (id) => [id] },
    {
      initial: undefined,
      step: true,
      get: () => (openRuns.value.length > 0 ? view.value : undefined),
      set: (id) => {
        if (id) view.value = id;
      },
    },
  ),
  selection: group<Selection>(
    {
      /** The selected time, in seconds since the start: `10:60`. */
      time: ['select', range(':')],
      /** A selected dataset; may repeat, as may the next four. */
      datasets: ['dataset', texts],
      /** A selected file. */
      files: ['file', texts],
      /** A selected host. */
      hosts: ['host', texts],
      /** A selected worker, by its address. */
      workers: ['worker', texts],
      /** A selected task prefix. */
      prefixes: ['prefix', texts],
      /** A range of a column of chunks: `duration:1:2.5`, `section:load:0:3`; may repeat. */
      ranges: ['range', columnRanges],
    },
    { step: true, get: () => selection.value, set: select },
  ),
  /** The finding that is followed: what it is about is marked, and nothing filtered. */
  finding: parameter<string, string>('finding', text, {
    initial: '',
    get: () =>
      currentFinding.value?.run === activeRunId.value
        ? (currentFinding.value?.finding.key ?? '')
        : '',
    set: (key) => void followFinding(key).catch(() => undefined),
  }),
  /** The task prefix that counts as the processor, where the user chose it. */
  processor: parameter<string | undefined, string>('processor', text, {
    initial: undefined,
    get: () => processorOf(activeRunId.value),
    set: (prefix) => {
      const run = activeRunId.peek();
      if (run !== undefined) chooseProcessor(run, prefix);
    },
  }),
};

/** A place has no space in it. */
const annotated: Codec<readonly Annotation[]> = mapped(
  fullTexts,
  (written) => written.map(annotationOf),
  (written) => written.map(textOfAnnotation),
);

const atTheEnd = {
  /** A note: where it was written, as this list has it (`#v=2&view=…`), a space, and its text; may repeat. */
  annotations: parameter<readonly Annotation[], readonly Annotation[]>('note', annotated, {
    initial: [],
    lasting: true,
    get: () => annotations.value,
    set: (written) => {
      annotations.value = written;
    },
  }),
  /** The theme, where the user chose one. */
  theme: parameter<Theme | undefined, Theme>('theme', oneOf(themes), {
    initial: undefined,
    lasting: true,
    get: () => chosenTheme.value,
    set: (theme) => {
      if (theme) showTheme(theme);
    },
  }),
};

type OfPage = typeof ofPage & typeof atTheEnd;
type ValueOf<P> = P extends Parameter<infer T> ? T : never;

/**
 * What a link to this page says, by the names of the parameters in the code: those of the page, then
 * those of views. A link that says nothing of a parameter leaves it as it is.
 */
export type Permalink = { -readonly [K in keyof OfPage]?: ValueOf<OfPage[K]> | undefined } & {
  [ofView: string]: unknown;
};

export interface Declared {
  id: string;
  parameter: Parameter<unknown>;
  /** where it holds; undefined: everywhere */
  views: readonly ViewId[] | undefined;
}

const declared = (given: Parameters, where?: readonly ViewId[]): Declared[] =>
  Object.entries(given).map(([id, one]) => ({ id, parameter: parameterOf(one), views: where }));

let known: readonly Declared[] = [];

/** All parameters, in the order in which they are written. Views that show the same share some. */
export function parameters(): readonly Declared[] {
  if (known.length > 0) return known;
  const ofViews = [...new Set(views().map(({ params }) => params))].flatMap((shared = {}) =>
    declared(
      shared,
      views()
        .filter(({ params }) => params === shared)
        .map(({ id }) => id),
    ),
  );
  known = [...declared(ofPage), ...ofViews, ...declared(atTheEnd)];
  return known;
}

/** Whether a parameter says something of the tab of `shown`. */
export const holdsIn = (where: Declared['views'], shown: ViewId | undefined): boolean =>
  where === undefined || (shown !== undefined && where.some((id) => tabOf(id) === tabOf(shown)));
