import type { TimeRange } from './selection';
import { isViewId, type ViewId } from './view';

/** What a link to this page says. A link that says nothing of a member leaves it as it is. */
export interface Permalink {
  urls: string[];
  view?: ViewId | undefined;
  time?: TimeRange | undefined;
  /** the place of the run among the open ones, from 0 */
  run?: number | undefined;
  /** the page was opened by another page, in a frame */
  embed: boolean;
}

/** Links carry the version of their form, so that a later page can read an older link. */
const version = 1;

export function parsePermalink(hash: string): Permalink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Permalink = { urls: parameters.getAll('url').filter(Boolean), embed: parameters.has('embed') };
  // a link of a later version may mean something else by the same names: take only what it opens
  if (Number(parameters.get('v') ?? version) > version) return link;
  const view = parameters.get('view');
  if (view && isViewId(view)) link.view = view;
  const time = /^(-?[\d.]+)~(-?[\d.]+)$/.exec(parameters.get('t') ?? '');
  if (time) {
    const begin = Number(time[1]);
    const end = Number(time[2]);
    if (end > begin) link.time = [begin, end];
  }
  const run = Number(parameters.get('run') ?? Number.NaN);
  if (Number.isInteger(run) && run >= 0) link.run = run;
  return link;
}

export function formatPermalink(link: Permalink): string {
  const parts = [`v=${version}`];
  if (link.embed) parts.push('embed');
  for (const url of link.urls) parts.push(`url=${encodeURIComponent(url)}`);
  if (link.run) parts.push(`run=${link.run}`);
  if (link.view) parts.push(`view=${link.view}`);
  // a hundredth of a second is finer than any pixel of a brush
  if (link.time) parts.push(`t=${link.time.map((seconds) => String(Number(seconds.toFixed(2)))).join('~')}`);
  return `#${parts.join('&')}`;
}
