import { signal } from '@preact/signals';

/** The views in the order of their tabs and of the keys 1, 2, 3, ... */
export const views = [
  { id: 'summary', title: 'Summary' },
  { id: 'timelines', title: 'Timelines' },
  { id: 'fine', title: 'Fine metrics' },
  { id: 'chunks', title: 'Chunks' },
  { id: 'access', title: 'Data access' },
  { id: 'flame', title: 'Flame graph' },
  { id: 'compare', title: 'Compare' },
  { id: 'scaling', title: 'Scaling' },
  { id: 'notes', title: 'Data notes' },
] as const;

export type ViewId = (typeof views)[number]['id'];

export const view = signal<ViewId>('summary');

export const isViewId = (text: string): text is ViewId => views.some((entry) => entry.id === text);

export const viewTitle = (id: ViewId): string =>
  views.find((entry) => entry.id === id)?.title ?? id;
