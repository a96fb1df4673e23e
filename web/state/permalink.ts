import type { Selection } from '../engine/engine';
import { type FlameState, flameLink, parseFlameLink, plainFlame } from './flame';
import { type ListDimension, listDimensions, parseSelection } from './selection';
import type { Theme } from './theme';
import { isViewId, type ViewId } from './view';

/** How views are looked at: members of a link that are the Timelines' (state/timelines.ts) or those of runs side by side (state/pair.ts). */
const viewMembers = /^(z|pin|fold|form|sort|bars|lanes|clock|ab|per|by|align|target|cols)$/;

/** What a link to this page says. A link that says nothing of a member leaves it as it is. */
export interface Permalink {
  urls: string[];
  /** what the runs are called that were opened from files, which a link cannot bring: whoever follows it is asked for them */
  names?: readonly string[] | undefined;
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
  /** where the user chose one */
  theme?: Theme | undefined;
  /** the page was opened by another page, in a frame */
  embed: boolean;
}

/** Links carry the version of their form: an older one is brought up to date, a later page can read this one. */
const version = 2;

/** What makes a link of version n one of version n + 1, by n. Links without a version were written by hand, in any form so far. */
const upgraders: Record<number, (link: URLSearchParams) => void> = {
  // the filter under the names that the command line has
  1(link) {
    const [time, selection, processor, flame] = ['t', 's', 'p', 'f'].map((name) => link.get(name));
    for (const name of 'tspf') link.delete(name);
    if (time) link.set('select', time.replace('~', ':'));
    const { ranges = [], ...lists } = parseSelection(selection ?? '{}');
    for (const dimension of listDimensions) {
      for (const name of lists[dimension] ?? []) link.append(memberOf[dimension], name);
    }
    for (const { column, lo, hi } of ranges) link.append('range', `${column}:${lo}:${hi}`);
    if (processor) link.set('processor', processor);
    if (flame) link.set('flame', flame);
  },
};

/** The parts of a Selection as the options of the command line are called. */
const memberOf: Record<ListDimension, string> = {
  datasets: 'dataset',
  files: 'file',
  hosts: 'host',
  workers: 'worker',
  prefixes: 'prefix',
};

export function parsePermalink(hash: string): Permalink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Permalink = { urls: parameters.getAll('url').filter(Boolean), embed: parameters.has('embed') };
  const written = Number(parameters.get('v') ?? 1);
  // a link of a later version may mean something else by the same names: take only what it opens
  if (!(written <= version)) return link;
  for (let from = written; from < version; from += 1) upgraders[from]?.(parameters);

  const names = parameters.getAll('name').filter(Boolean);
  if (names.length > 0) link.names = names;
  const view = parameters.get('view');
  if (view && isViewId(view)) link.view = view;
  const members = [...parameters].filter(([name]) => viewMembers.test(name));
  if (members.length > 0) link.members = members.map(([name, value]) => (value ? `${name}=${value}` : name));
  const selected = selectionOf(parameters);
  if (Object.keys(selected).length > 0) link.selection = selected;
  const flame = parameters.get('flame');
  if (flame) link.flame = parseFlameLink(flame);
  const run = Number(parameters.get('run') ?? Number.NaN);
  if (Number.isInteger(run) && run >= 0) link.run = run;
  const processor = parameters.get('processor');
  if (processor !== null) link.processor = processor;
  const theme = parameters.get('theme');
  if (theme === 'light' || theme === 'dark') link.theme = theme;
  return link;
}

function selectionOf(parameters: URLSearchParams): Selection {
  const given: Record<string, unknown> = {};
  const numbers = (text: string) => text.split(':').map((part) => (part.trim() ? Number(part) : Number.NaN));
  const time = parameters.get('select');
  if (time) given.time = numbers(time);
  for (const dimension of listDimensions) given[dimension] = parameters.getAll(memberOf[dimension]);
  given.ranges = parameters.getAll('range').map((text) => {
    const [column = '', ...bounds] = text.split(':');
    const [lo, hi] = numbers(bounds.join(':'));
    return { column, lo, hi };
  });
  return parseSelection(JSON.stringify(given));
}

export function formatPermalink(link: Permalink): string {
  const parts = [`v=${version}`];
  const add = (name: string, value: string) => parts.push(`${name}=${encodeURIComponent(value)}`);
  if (link.embed) parts.push('embed');
  for (const url of link.urls) add('url', url);
  for (const name of link.names ?? []) add('name', name);
  if (link.run) parts.push(`run=${link.run}`);
  if (link.view) parts.push(`view=${link.view}`);
  const selected = link.selection ?? {};
  // a hundredth of a second is finer than any pixel of a brush
  if (selected.time) parts.push(`select=${selected.time.map((seconds) => Number(seconds.toFixed(2))).join(':')}`);
  for (const dimension of listDimensions) {
    for (const name of selected[dimension] ?? []) add(memberOf[dimension], name);
  }
  for (const { column, lo, hi } of selected.ranges ?? []) parts.push(`range=${encodeURIComponent(column)}:${lo}:${hi}`);
  if (link.processor !== undefined) add('processor', link.processor);
  parts.push(...(link.members ?? []));
  const flame = flameLink(link.flame ?? plainFlame);
  if (flame) add('flame', flame);
  if (link.theme) parts.push(`theme=${link.theme}`);
  return `#${parts.join('&')}`;
}
