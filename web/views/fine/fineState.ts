import { signal } from '@preact/signals';

/** What one looks at in the fine metrics; kept while one looks at another view. */
export type Show = 'absolute' | 'row' | 'available';

export const unit = signal('seconds');
export const show = signal<Show>('absolute');
