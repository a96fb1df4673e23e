import { signal } from '@preact/signals';

/** The chunk that was clicked last, by its number. */
export const pickedChunk = signal<number | undefined>(undefined);
