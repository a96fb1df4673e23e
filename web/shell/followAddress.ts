import { effect, signal, untracked } from '@preact/signals';
import { enclosed } from '../state/enclosed';
import { goTo, here, pendingLink } from '../state/link';
import { openEnclosed, openUrls } from '../state/opening';
import { type Permalink, parameters } from '../state/parameters';
import { formatPermalink, parsePermalink } from '../state/permalink';
import { activeRunId, openedUrls, openRuns } from '../state/runs';
import { showTheme } from '../state/theme';
import { opening } from '../state/underWay';
import { brushing } from '../state/undo';
import { view } from '../state/view';

/**
 * Keeps the address and the state alike: opens what the link names, writes where the user is. What
 * a link names is on its way before the page is first drawn.
 */
export function followAddress(): void {
  void apply(startingLink());
  window.addEventListener('hashchange', () => void apply(parsePermalink(location.hash)));
  effect(() => {
    // a drag is written where it ends
    if (brushing.value) return;
    const link = pendingLink.value;
    if (link && openRuns.value.length > 0) {
      untracked(() => {
        pendingLink.value = undefined;
        goTo(link);
      });
    }
    write(here.value);
  });
}

/** The address; a report says itself where it begins, as long as its address says nothing. */
function startingLink(): Permalink {
  const link = parsePermalink(location.hash);
  if (!enclosed || link.view || link.selection) return link;
  return { ...parsePermalink(enclosed.hash), ...link };
}

/** Where the user was when the address was last written. */
let written = '';

/** The address is being followed: what changes by that is no step of its own. */
let following = false;

/**
 * While a link's runs are on their way, the state is not yet what the link says: it must not
 * overwrite it.
 */
export const arriving = signal(false);

/** Counts the links that were followed: only the latest holds. */
let latest = 0;

async function apply(link: Permalink): Promise<void> {
  latest += 1;
  const mine = latest;
  pendingLink.value = undefined;
  if (link.theme) showTheme(link.theme);
  const fresh = link.urls?.filter((url) => !openedUrls.value.includes(url)) ?? [];
  const beginning = enclosed !== undefined && openRuns.value.length === 0;
  if (fresh.length > 0 || beginning) {
    arriving.value = true;
    const anyOpened = beginning && enclosed ? await openEnclosed(enclosed) : false;
    const opened = fresh.length > 0 ? await openUrls(fresh) : anyOpened;
    if (mine !== latest) return;
    arriving.value = false;
    // something else was opened meanwhile: what is shown of it is not this link's matter
    const superseded = opening.value.kind === 'reading' || opening.value.kind === 'collecting';
    if (!opened && (superseded || openRuns.value.length > 0)) return;
  }
  arriving.value = false;
  if (openRuns.value.length === 0) {
    if (link.view) view.value = link.view;
    pendingLink.value = saysMore(link) ? link : undefined;
    return;
  }
  following = true;
  goTo(link);
  write(here.value);
  following = false;
}

/** Whether a link says more than what to open. */
const saysMore = ({ view, selection, names }: Permalink): boolean =>
  Boolean(view || selection || names?.length);

/** What Back takes back a change of; the run by itself, whatever place it gets. */
const stepOf = (link: Permalink): string =>
  JSON.stringify([
    activeRunId.value,
    ...parameters()
      .filter(({ id, parameter }) => parameter.step && id !== 'run')
      .map(({ id }) => link[id]),
  ]);

function write(link: Permalink): void {
  if (arriving.peek() || pendingLink.value) return;
  const nothing = !link.urls?.length && !link.view;
  const hash = nothing ? (link.embed ? '#embed' : '') : formatPermalink(link);
  const step = openRuns.value.length > 0 ? stepOf(link) : '';
  const isNew = step !== written;
  const isStep = isNew && step !== '' && written !== '' && !following && !link.embed;
  written = step;
  clearTimeout(later);
  // what was followed is put right at once: later the user may have gone on. How a view looks waits
  // until that stands still: writing takes as long as drawing, and browsers allow a hundred changes
  // in thirty seconds
  if (isNew || following) put(hash, isStep);
  else later = setTimeout(() => put(hash, false), stillMilliseconds);
}

const stillMilliseconds = 300;
let later: ReturnType<typeof setTimeout> | undefined;

function put(hash: string, isStep: boolean): void {
  if (hash === location.hash) return;
  try {
    history[isStep ? 'pushState' : 'replaceState'](
      null,
      '',
      hash || location.pathname + location.search,
    );
  } catch {
    // in srcdoc frames and JupyterLab's viewer the address cannot be changed; the state lives on in
    // memory
  }
}
