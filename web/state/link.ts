import { batch, computed, type Signal, signal } from '@preact/signals';
import { annotations } from './annotations';
import { coreTimePart, coreTimeSplit, coreTimeZoom } from './coreTime';
import { embedded } from './embed';
import { flame } from './flame';
import {
  alignment,
  changeBy,
  choosePlaces,
  chosenPlaces,
  diffWidth,
  per,
  runColumns,
  target,
} from './pair';
import {
  holdsIn,
  initial,
  type ParameterId,
  parameterIds,
  resets,
  type Values,
} from './parameters';
import { formatPermalink, type Permalink } from './permalink';
import { chooseProcessor, processorOf } from './processor';
import { activeRunId, type OpenRun, openedUrls, openRuns, showRun, urlsOf } from './runs';
import { select, selection } from './selection';
import { chosenTheme, showTheme } from './theme';
import {
  barColour,
  barKind,
  chosenForms,
  folded,
  pins,
  rowOrder,
  wallClock,
  zoom,
} from './timelines';
import { view } from './view';

/**
 * Where the state is that a parameter says. Without `set`, a link is followed elsewhere: files are
 * opened, the frame is made.
 */
interface Binding<T> {
  get: () => T;
  set?: (value: T) => void;
}

const of = <T>(state: Signal<T>): Binding<T> => ({
  get: () => state.value,
  set: (value) => {
    state.value = value;
  },
});

const bindings: { [K in ParameterId]: Binding<Values[K]> } = {
  embed: { get: () => embedded.value },
  urls: { get: () => openedUrls.value },
  names: {
    get: () =>
      openRuns.value
        .filter(({ origin }) => origin.urls.length === 0 && !origin.enclosed)
        .map(({ title }) => title)
        .filter(Boolean),
  },
  run: {
    get: () =>
      Math.max(
        0,
        openRuns.value.findIndex((run) => run.id === activeRunId.value),
      ),
    set: (place) => {
      const wanted = openRuns.peek()[place];
      if (wanted) showRun(wanted.id);
    },
  },
  view: {
    get: () => (openRuns.value.length > 0 ? view.value : undefined),
    set: (id) => {
      if (id) view.value = id;
    },
  },
  selection: { get: () => selection.value, set: select },
  processor: {
    get: () => processorOf(activeRunId.value),
    set: (prefix) => {
      const run = activeRunId.peek();
      if (run !== undefined) chooseProcessor(run, prefix);
    },
  },
  coreTimeSplit: of(coreTimeSplit),
  coreTimePart: of(coreTimePart),
  coreTimeZoom: of(coreTimeZoom),
  zoom: of(zoom),
  pins: of(pins),
  folded: of(folded),
  chosenForms: of(chosenForms),
  rowOrder: of(rowOrder),
  barColour: of(barColour),
  barKind: of(barKind),
  wallClock: of(wallClock),
  sides: { get: chosenPlaces, set: choosePlaces },
  per: of(per),
  changeBy: of(changeBy),
  alignment: of(alignment),
  diffWidth: of(diffWidth),
  target: of(target),
  runColumns: of(runColumns),
  flame: of(flame),
  annotations: of(annotations),
  theme: {
    get: () => chosenTheme.value,
    set: (theme) => {
      if (theme) showTheme(theme);
    },
  },
};

/** Where the user is, as a link says it. */
export const here = computed(
  (): Permalink =>
    Object.fromEntries(parameterIds.map((id) => [id, bindings[id].get()])) as Permalink,
);

/** A link whose runs are not open yet: it holds as soon as one is. */
export const pendingLink = signal<Permalink | undefined>(undefined);

/**
 * The open runs as a link counts them. One that names just what is open, or nothing, counts all;
 * any other was written where others were open, and counts those that it names.
 */
function countedBy({ urls = [], names = [] }: Permalink): readonly (OpenRun | undefined)[] {
  const open = openRuns.peek();
  const isSame = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n');
  const namesOpen = isSame(urls, bindings.urls.get()) && isSame(names, bindings.names.get());
  if (namesOpen || urls.length + names.length === 0) return open;
  // a file is known by its title alone: where that is another here, by its place
  if (urls.length === 0)
    return names.map((name, place) => open.find(({ title }) => title === name) ?? open[place]);
  const isFrom = (url: string) => (run: OpenRun) => urlsOf(run).includes(url);
  if (names.length === 0) return [...new Set(urls.flatMap((url) => open.filter(isFrom(url))))];
  return open.filter((run) => names.includes(run.title) || urls.some((url) => isFrom(url)(run)));
}

/** A link with the places that its runs have among those that are open; −1 where one is not. */
function placedHere(link: Permalink): Permalink {
  const counted = countedBy(link);
  const here = (place: number): number => {
    const run = counted[place];
    return run ? openRuns.peek().indexOf(run) : -1;
  };
  const sides = link.sides?.map((side) => side.map(here)) as Permalink['sides'];
  const saysRun = link.view || link.urls?.length || link.names?.length;
  const run = link.run ?? (saysRun ? initial('run') : undefined);
  return { ...link, ...(sides && { sides }), ...(run !== undefined && { run: here(run) }) };
}

/** Shows what a link says of the runs that are open. */
export function goTo(asWritten: Permalink): void {
  const link = placedHere(asWritten);
  const shown = link.view ?? view.peek();
  const set = <K extends ParameterId>(id: K) => {
    const said = link[id];
    // a link with a view says all that holds there
    if (said !== undefined) bindings[id].set?.(said as Values[K]);
    else if (link.view && resets(id)) bindings[id].set?.(initial(id));
  };
  // at once: what is seen of another run goes with it
  set('run');
  batch(() => {
    for (const id of parameterIds) if (id !== 'run' && holdsIn(id, shown)) set(id);
  });
}

/**
 * The address of this page at a link's place; undefined where it has none that could be opened
 * elsewhere.
 */
export function addressOf(link: Permalink): string | undefined {
  const address = location.href.replace(/#.*$/, '');
  // a frame made of text has none
  return /^(https?|file):/.test(address) ? address + formatPermalink(link) : undefined;
}
