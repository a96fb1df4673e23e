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
import { activeRunId, openedUrls, openRuns, showRun } from './runs';
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

/** Shows what a link says of the runs that are open. */
export function goTo(link: Permalink): void {
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
