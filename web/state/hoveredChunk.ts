import { signal } from '@preact/signals';

/** The number of the chunk under the pointer, which every picture of chunks marks. */
export const hoveredChunk = signal<number | undefined>(undefined);

/** The chunk that was clicked last on the timelines, by its number. */
export const pickedChunk = signal<number | undefined>(undefined);
