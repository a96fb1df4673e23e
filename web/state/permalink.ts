import type { Selection } from '../engine/engine';
import { type FlameState, flameLink, parseFlameLink, plainFlame } from './flame';
import { listDimensions, parseSelection } from './selection';
import { isViewId, type ViewId } from './view';

/** How views are looked at: members of a link that are the Timelines' (state/timelines.ts) or those of runs side by side (state/pair.ts). */
const viewMembers = /^(z|pin|fold|form|sort|bars|lanes|clock|ab|per|by|align|target|cols)(=|$)/;

/** What a link to this page says. A link that says nothing of a member leaves it as it is. */
export interface Permalink {
  urls: string[];
  view?: ViewId | undefined;
  /** what is selected; a link with a view and no selection means that nothing is */
  selection?: Selection | undefined;
  /** the place of the run among the open ones, from 0 */
  run?: number | undefined;
  /** how the view looks at it, as the link has it */
  members?: readonly string[] | undefined;
  /** the task prefix that counts as the processor, where the user chose it */
  processor?: string | undefined;
  /** how the flame graph is shown; a link with a view and without it means plainly */
  flame?: FlameState | undefined;
  /** the page was opened by another page, in a frame */
  embed: boolean;
}

/** Links carry the version of their form, so that a later page can read an older link. */
const version = 1;

/** The parts of a Selection other than its time, as one member: names may hold any character. */
const beyondTime = [...listDimensions, 'ranges'] as const;

export function parsePermalink(hash: string): Permalink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Permalink = { urls: parameters.getAll('url').filter(Boolean), embed: parameters.has('embed') };
  // a link of a later version may mean something else by the same names: take only what it opens
  if (Number(parameters.get('v') ?? version) > version) return link;
  const view = parameters.get('view');
  if (view && isViewId(view)) link.view = view;
  const members = hash.split('&').filter((part) => viewMembers.test(part));
  if (members.length > 0) link.members = members;
  const selected = parseSelection(parameters.get('s') ?? '{}');
  const time = /^(-?[\d.]+)~(-?[\d.]+)$/.exec(parameters.get('t') ?? '');
  if (time) {
    const begin = Number(time[1]);
    const end = Number(time[2]);
    if (end > begin) selected.time = [begin, end];
  }
  if (Object.keys(selected).length > 0) link.selection = selected;
  const flame = parameters.get('f');
  if (flame) link.flame = parseFlameLink(flame);
  const run = Number(parameters.get('run') ?? Number.NaN);
  if (Number.isInteger(run) && run >= 0) link.run = run;
  const processor = parameters.get('p');
  if (processor !== null) link.processor = processor;
  return link;
}

export function formatPermalink(link: Permalink): string {
  const parts = [`v=${version}`];
  if (link.embed) parts.push('embed');
  for (const url of link.urls) parts.push(`url=${encodeURIComponent(url)}`);
  if (link.run) parts.push(`run=${link.run}`);
  if (link.view) parts.push(`view=${link.view}`);
  if (link.processor !== undefined) parts.push(`p=${encodeURIComponent(link.processor)}`);
  const selected = link.selection ?? {};
  // a hundredth of a second is finer than any pixel of a brush
  if (selected.time) parts.push(`t=${selected.time.map((seconds) => String(Number(seconds.toFixed(2)))).join('~')}`);
  const rest: Selection = {};
  for (const dimension of beyondTime) {
    if (selected[dimension]) Object.assign(rest, { [dimension]: selected[dimension] });
  }
  if (Object.keys(rest).length > 0) parts.push(`s=${encodeURIComponent(JSON.stringify(rest))}`);
  parts.push(...(link.members ?? []));
  const flame = flameLink(link.flame ?? plainFlame);
  if (flame) parts.push(`f=${encodeURIComponent(flame)}`);
  return `#${parts.join('&')}`;
}
