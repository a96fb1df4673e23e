import { batch, computed, signal } from '@preact/signals';
import { embedded } from './embed';
import { flame, plainFlame } from './flame';
import { applyPair, formatPair } from './pair';
import type { Permalink } from './permalink';
import { chooseProcessor, processorOf } from './processor';
import { activeRunId, openedUrls, openRuns, showRun } from './runs';
import { select, selection } from './selection';
import { chosenTheme, showTheme } from './theme';
import { applyTimelines, formatTimelines } from './timelines';
import { type ViewId, view } from './view';

/** Where the user is, as a link says it. */
export const here = computed((): Permalink => {
  const runs = openRuns.value;
  const place = runs.findIndex((run) => run.id === activeRunId.value);
  const atHand = runs.filter(({ origin }) => origin.urls.length === 0 && !origin.enclosed);
  return {
    urls: openedUrls.value,
    names: atHand.map((run) => run.title),
    view: runs.length > 0 ? view.value : undefined,
    selection: selection.value,
    flame: view.value === 'flame' ? flame.value : undefined,
    run: place > 0 ? place : undefined,
    members: membersOf(view.value),
    processor: processorOf(activeRunId.value),
    theme: chosenTheme.value,
    embed: embedded.value,
  };
});

/** How a view is looked at, where a link says it. */
function membersOf(id: ViewId): string[] | undefined {
  if (id === 'timelines') return formatTimelines();
  return id === 'compare' || id === 'scaling' ? formatPair() : undefined;
}

/** A link whose runs are not open yet: it holds as soon as one is. */
export const awaited = signal<Permalink | undefined>(undefined);

/** Shows what a link says of the runs that are open. */
export function goTo(link: Permalink): void {
  const wanted = openRuns.peek()[link.run ?? 0];
  if (wanted && (link.run !== undefined || link.view)) showRun(wanted.id);
  batch(() => {
    // a link with a view says all that is chosen
    const run = activeRunId.peek();
    if (run !== undefined && (link.view || link.processor !== undefined)) chooseProcessor(run, link.processor);
    if (link.view) view.value = link.view;
    if (link.view || link.selection) select(link.selection ?? {});
    if (link.theme) showTheme(link.theme);
    const members = new URLSearchParams(link.members?.join('&'));
    if (link.view === 'timelines') applyTimelines(members);
    if (link.view === 'compare' || link.view === 'scaling') applyPair(members);
    if (link.view === 'flame') flame.value = link.flame ?? plainFlame;
  });
}
