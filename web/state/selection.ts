import { computed, signal } from '@preact/signals';
import type { Seconds, Selection } from '../engine/engine';

export type TimeRange = readonly [begin: Seconds, end: Seconds];

/** The selected part of the run axis; undefined = the whole run. */
export const timeSelection = signal<TimeRange | undefined>(undefined);

/** The one filter state that all views share, as the engine wants it. */
export const selection = computed<Selection>(() => {
  const range = timeSelection.value;
  return range ? { time: [range[0], range[1]] } : {};
});

export const isFiltered = computed(() => timeSelection.value !== undefined);

export function clearSelection(): void {
  timeSelection.value = undefined;
}
