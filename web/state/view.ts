import { signal } from '@preact/signals';

/** The views in the order of their tabs; keys that people know stay when a view joins. */
export const views = [
  { id: 'summary', title: 'Summary', key: '1' },
  { id: 'timelines', title: 'Timelines', key: '2' },
  { id: 'fine', title: 'Fine metrics', key: '3' },
  { id: 'chunks', title: 'Chunks', key: '4' },
  { id: 'access', title: 'Input', key: '5' },
  { id: 'flame', title: 'Flame graph', key: '6' },
  { id: 'workers', title: 'Workers', key: 'k' },
  { id: 'compare', title: 'Compare', key: '7' },
  { id: 'scaling', title: 'Scaling', key: '8' },
  { id: 'history', title: 'History', key: 'h' },
  { id: 'notes', title: 'Data notes', key: '9' },
] as const;

export type ViewId = (typeof views)[number]['id'];

export const view = signal<ViewId>('summary');

export const isViewId = (text: string): text is ViewId => views.some((entry) => entry.id === text);

export const viewTitle = (id: ViewId): string =>
  views.find((entry) => entry.id === id)?.title ?? id;
