import { signal } from '@preact/signals';
import { annotations } from './annotations';
import { shareShown } from './dialogs';
import { here } from './link';
import { formatPermalink } from './permalink';

/** What is being written. */
export const draft = signal('');

/** Lets the user write a note that begins with `text`. */
export function beginAnnotation(text: string): void {
  draft.value = text;
  shareShown.value = true;
}

/** Keeps what was written, with what is on screen and nothing else of the page. */
export function keepAnnotation(): void {
  const text = draft.value.trim();
  draft.value = '';
  if (!text) return;
  const place = { ...here.value, urls: [], names: [], embed: false, annotations: [] };
  annotations.value = [...annotations.value, { text, place: formatPermalink(place) }];
}
