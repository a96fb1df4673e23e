import { batch, effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { flame, plainFlame } from '../state/flame';
import { brushing } from '../state/history';
import { openedUrls, openUrls } from '../state/opening';
import { applyPair, formatPair } from '../state/pair';
import { formatPermalink, type Permalink, parsePermalink } from '../state/permalink';
import { chooseProcessor, processorOf } from '../state/processor';
import { activeRunId, openRuns, showRun } from '../state/runs';
import { select, selection } from '../state/selection';
import { applyTimelines, formatTimelines } from '../state/timelines';
import { type ViewId, view } from '../state/view';

/** Keeps the address and the state alike: opens what the link names, writes where the user is. */
export function usePermalink(): void {
  useEffect(() => {
    const start = parsePermalink(location.hash);
    apply(start);
    const follow = () => apply(parsePermalink(location.hash));
    window.addEventListener('hashchange', follow);
    const stop = effect(() => {
      // a drag is written where it ends
      if (brushing.value) return;
      if (awaiting && openRuns.value.length > 0) {
        const link = awaiting;
        awaiting = undefined;
        untracked(() => show(link));
      }
      const place = openRuns.value.findIndex((run) => run.id === activeRunId.value);
      write({
        urls: openedUrls.value,
        view: openRuns.value.length > 0 ? view.value : undefined,
        selection: selection.value,
        flame: view.value === 'flame' ? flame.value : undefined,
        run: place > 0 ? place : undefined,
        members: membersOf(view.value),
        processor: processorOf(activeRunId.value),
        embed: start.embed,
      });
    });
    return () => {
      window.removeEventListener('hashchange', follow);
      stop();
    };
  }, []);
}

/** How a view is looked at, where a link says it. */
function membersOf(id: ViewId): string[] | undefined {
  if (id === 'timelines') return formatTimelines();
  return id === 'compare' || id === 'scaling' ? formatPair() : undefined;
}

/** What was selected when the address was last written. */
let written = '';

/** While a link's runs are on their way, the state is not yet what the link says: it must not overwrite it. */
let applying = false;

/** What a link without an address says of files that the user has yet to open. */
let awaiting: Permalink | undefined;

async function apply(link: Permalink): Promise<void> {
  const fresh = link.urls.filter((url) => !openedUrls.value.includes(url));
  if (fresh.length > 0) {
    applying = true;
    const opened = await openUrls(fresh);
    applying = false;
    if (!opened) return;
  }
  if (openRuns.value.length === 0) {
    awaiting = link;
    if (link.view) view.value = link.view;
    return;
  }
  show(link);
}

function show(link: Permalink): void {
  const wanted = openRuns.value[link.run ?? 0];
  if (wanted && link.run !== undefined) showRun(wanted.id);
  batch(() => {
    // a link with a view says all that is chosen
    const run = activeRunId.value;
    if (run !== undefined && (link.view || link.processor !== undefined)) chooseProcessor(run, link.processor);
    if (link.view) view.value = link.view;
    if (link.view || link.selection) select(link.selection ?? {});
    const members = new URLSearchParams(link.members?.join('&'));
    if (link.view === 'timelines') applyTimelines(members);
    if (link.view === 'compare' || link.view === 'scaling') applyPair(members);
    if (link.view === 'flame') flame.value = link.flame ?? plainFlame;
  });
}

function write(link: Permalink): void {
  if (applying || (awaiting && (awaiting.view || awaiting.selection))) return;
  const nothing = link.urls.length === 0 && !link.view;
  const hash = nothing ? (link.embed ? '#embed' : '') : formatPermalink(link);
  // a selection is a step that the browser's Back takes back; all else only keeps the address true
  const selected = JSON.stringify(link.selection ?? {});
  const isStep = selected !== written && written !== '' && !link.embed;
  written = selected;
  // a pan of the flame graph changes it sixty times a second, and browsers allow a hundred changes in thirty seconds
  const rest = leastMilliseconds - (performance.now() - lastWritten);
  clearTimeout(later);
  if (isStep || rest <= 0) put(hash, isStep);
  else later = setTimeout(() => put(hash, false), rest);
}

const leastMilliseconds = 300;
let lastWritten = Number.NEGATIVE_INFINITY;
let later: ReturnType<typeof setTimeout> | undefined;

function put(hash: string, isStep: boolean): void {
  if (hash === location.hash) return;
  lastWritten = performance.now();
  try {
    history[isStep ? 'pushState' : 'replaceState'](null, '', hash || location.pathname + location.search);
  } catch {
    // in srcdoc frames and JupyterLab's viewer the address cannot be changed; the state lives on in memory
  }
}
