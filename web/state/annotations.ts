import { signal } from '@preact/signals';

/** What somebody wrote about what is on screen: a run, a range of time, a box, a change. */
export interface Annotation {
  text: string;
  /** where it was written: what a link says of the view, with all that is selected there */
  place: string;
}

/** They are part of the link, and so of a report. */
export const annotations = signal<readonly Annotation[]>([]);
