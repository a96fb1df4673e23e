import { signal } from '@preact/signals';

/**
 * The chunk under the pointer, by its number; every picture of chunks marks it. undefined = none.
 */
export const hoveredChunk = signal<number | undefined>(undefined);

/** The chunk that was clicked last on the timelines, by its number. */
export const pickedChunk = signal<number | undefined>(undefined);
