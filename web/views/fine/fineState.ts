import { signal } from '@preact/signals';

/** What one looks at in the fine metrics; kept while one looks at another view. */
export type Show = 'absolute' | 'row' | 'available';

export const unit = signal('seconds');
export const show = signal<Show>('absolute');
/** activities and contexts that are left out */
export const hiddenActivities = signal<ReadonlySet<string>>(new Set());
export const hiddenContexts = signal<ReadonlySet<string>>(new Set());

export function toggled(set: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(name)) next.add(name);
  return next;
}
