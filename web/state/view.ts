import { signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import type { Later } from '../ui/later';
import type { Linked, Parameters } from './parameter';

/** What links, Python and pages around this one call a tab or a view. */
export type ViewId =
  | 'summary'
  | 'timelines'
  | 'fine'
  | 'flame'
  | 'data'
  | 'compute'
  | 'read'
  | 'runs'
  | 'compare'
  | 'scaling'
  | 'history'
  | 'recording';

export interface KeyGroup {
  title: string;
  keys: readonly (readonly [key: string, meaning: string])[];
}

/** All that the page, its links, its help, its documents and Python know of a view. */
export interface View {
  id: ViewId;
  title: string;
  /** the question that it answers: the Summary leads straight to it */
  asks?: string;
  /** names that older links and findings have for it */
  was?: readonly string[];
  /** keys of its own, which the help lists */
  help?: () => Promise<KeyGroup>;
  /** what links say of how it is looked at */
  params?: Parameters;
  /** what has to be open: a recording, which a digest of one is not, and so many runs side by side */
  needs: { recording: boolean; runs: number };
  /**
   * Asks what it shows first of what was just opened: the core answers while the page is still being
   * put up. `said` = how a state will be once the link that is followed holds.
   */
  prefetch?: (run: RunId, all: readonly RunId[], said: <T>(state: Linked<T>) => T) => void;
  /** as high as the window: what is longer scrolls within it */
  fills?: boolean;
  load: Later<object>;
}

/** One view, or several that answer the same kind of question, with a switch between them. */
export interface Tab {
  id: ViewId;
  title: string;
  views: readonly [View, ...View[]];
  /**
   * A hook: which of them is shown where nobody chose; undefined while that is not known. Without it,
   * the first.
   */
  useFirst?: () => ViewId | undefined;
}

/** A view in a folder of its own; views/views.ts puts it into a tab. */
export const defineView = (defined: View): View => defined;

const all: Tab[] = [];
/** In their order on the page: the keys 1, 2, 3 … show them. */
export const tabs: readonly Tab[] = all;

/** Views are above what is shared by them, which learns here what they are. */
export function provideTabs(list: readonly Tab[]): void {
  all.splice(0, all.length, ...list);
}

export const views = (): View[] => tabs.flatMap((tab) => tab.views);

/** The view that was chosen, or the tab alone. */
export const view = signal<ViewId>('summary');

export function tabOf(id: ViewId): Tab {
  const found = tabs.find((tab) => tab.id === id || tab.views.some((one) => one.id === id));
  if (!found) throw new Error(`no view is called ${id}`);
  return found;
}

/** The view of that id; of a tab, its first. */
export function viewOf(id: ViewId): View {
  const { views: here } = tabOf(id);
  return here.find((one) => one.id === id) ?? here[0];
}

export function viewTitle(id: ViewId): string {
  const tab = tabOf(id);
  return id === tab.id ? tab.title : `${tab.title} › ${viewOf(id).title}`;
}

/** The tab or view that a link, a page around this one, or a finding means. */
export const viewNamed = (name: unknown): ViewId | undefined =>
  tabs.find(({ id, title }) => id === name || title === name)?.id ??
  views().find(({ id, was = [] }) => id === name || was.some((old) => old === name))?.id;
