import { signal } from '@preact/signals';

/** A word about what was just opened, and what can be done about it. */
export interface Notice {
  title: string;
  text: string;
  action?: { label: string; act: () => void };
}

/** Stands over the view until it is put away, or something else is opened. */
export const notice = signal<Notice | undefined>(undefined);
