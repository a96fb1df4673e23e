import { signal } from '@preact/signals';

/** What somebody wrote about what is on screen: a run, a range of time, a box, a change. */
export interface Annotation {
  text: string;
  /** where it was written: what a link says of the view, with all that is selected there */
  place: string;
}

/** As it stands in a link, and as the note of a run in its digest: the place, if any, before it. */
export const textOfAnnotation = ({ place, text }: Annotation): string => `${place} ${text}`;

export function annotationOf(said: string): Annotation {
  const place = /^#\S*/.exec(said)?.[0] ?? '';
  return { place, text: said.slice(place.length).replace(/^ /, '') };
}

/** They are part of the link, and so of a report. */
export const annotations = signal<readonly Annotation[]>([]);
