import { signal } from '@preact/signals';

export const coreTimeSplits = ['functions', 'datasets', 'sections', 'activities'] as const;
/** What process() unfolds into; the values of the option `by` of `core_time_tree`. */
export type CoreTimeSplit = (typeof coreTimeSplits)[number];

export const coreTimeSplit = signal<CoreTimeSplit>('functions');

/** The id of the selected part; '' = none. */
export const coreTimePart = signal('');

/** The id of the part that fills the picture; '' = the whole. */
export const coreTimeZoom = signal('');

/** Parts of one that are shown beside each other; the smallest become one. */
const most = 40;
/** Rows below the one that fills the width. */
const depth = 3;

/** Options of `core_time_tree` for what the picture shows. */
export const coreTimeOptions = (by = coreTimeSplit.value, under = coreTimeZoom.value) => ({
  by,
  under,
  depth,
  most,
});
