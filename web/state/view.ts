import { signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import type { Later } from '../ui/later';
import type { Linked, Parameters } from './parameter';

/** What links, Python and pages around this one call the views. */
export type ViewId =
  | 'summary'
  | 'timelines'
  | 'fine'
  | 'chunks'
  | 'access'
  | 'flame'
  | 'workers'
  | 'compare'
  | 'scaling'
  | 'history'
  | 'notes';

/** All that the page, its links, its help, its documents and Python know of a view. */
export interface View {
  id: ViewId;
  title: string;
  key: string;
  /** keys of its own */
  help?: { title: string; keys: readonly (readonly [key: string, meaning: string])[] };
  /** what links say of how it is looked at */
  params?: Parameters;
  /** what has to be open: a recording, which a digest of one is not, and so many runs side by side */
  needs: { recording: boolean; runs: number };
  /**
   * Asks what it shows first of what was just opened: the core answers while the page is still being
   * put up. `said` = how a state will be once the link that is followed holds.
   */
  prefetch?: (run: RunId, all: readonly RunId[], said: <T>(state: Linked<T>) => T) => void;
  load: Later<object>;
}

/** A view in a file of its own; views/views.ts lists them in the order of their tabs. */
export const defineView = (defined: View): View => defined;

const all: View[] = [];
export const views: readonly View[] = all;

/** Views are above what is shared by them, which learns here what they are. */
export function provideViews(list: readonly View[]): void {
  all.splice(0, all.length, ...list);
}

export const view = signal<ViewId>('summary');

export const viewOf = (id: ViewId): View => {
  const found = views.find((one) => one.id === id);
  if (!found) throw new Error(`no view is called ${id}`);
  return found;
};

export const viewTitle = (id: ViewId): string => viewOf(id).title;

/** The view that a link, a page around this one, or a finding means. */
export const viewNamed = (name: unknown): ViewId | undefined =>
  views.find(({ id, title }) => id === name || title === name)?.id;
