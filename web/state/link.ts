import { batch, computed, signal } from '@preact/signals';
import type { Linked } from './parameter';
import { holdsIn, type Permalink, parameters } from './parameters';
import { formatPermalink } from './permalink';
import { type OpenRun, openRuns, urlsOf } from './runs';
import { view } from './view';

/** Where the user is, as a link says it. */
export const here = computed(
  (): Permalink =>
    Object.fromEntries(parameters().map(({ id, parameter }) => [id, parameter.get()])),
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
  const namesOpen = isSame(urls, here.peek().urls ?? []) && isSame(names, here.peek().names ?? []);
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
  const placeHere = (place: number): number => {
    const run = counted[place];
    return run ? openRuns.peek().indexOf(run) : -1;
  };
  const saysRun = link.view || link.urls?.length || link.names?.length;
  const whole: Permalink = saysRun ? { run: 0, ...link } : link;
  return Object.fromEntries(
    parameters()
      .filter(({ id }) => whole[id] !== undefined)
      .map(({ id, parameter: { placed } }) => [
        id,
        placed ? placed(whole[id], placeHere) : whole[id],
      ]),
  );
}

/** Shows what a link says of the runs that are open. */
export function goTo(asWritten: Permalink): void {
  const link = placedHere(asWritten);
  const shown = link.view ?? view.peek();
  const set = (wanted: (id: string) => boolean) => {
    for (const { id, parameter, views } of parameters()) {
      if (!wanted(id) || !holdsIn(views, shown)) continue;
      // a link with a view says all that holds there
      if (link[id] !== undefined) parameter.set?.(link[id]);
      else if (link.view && !parameter.lasting) parameter.set?.(parameter.initial);
    }
  };
  // at once: what is seen of another run goes with it
  set((id) => id === 'run');
  batch(() => set((id) => id !== 'run'));
}

/** How a state will be once the link that is on its way holds. */
export function said<T>(state: Linked<T>): T {
  const link = pendingLink.peek();
  if (!link) return state.peek();
  const found = parameters().find(({ parameter }) => parameter === state.parameter);
  return ((found && link[found.id]) as T | undefined) ?? state.parameter.initial;
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
