import { signal } from '@preact/signals';

export const coreTimeSplits = ['functions', 'datasets', 'sections', 'activities'] as const;
/** What process() unfolds into; the values of the option `by` of `core_time_tree`. */
export type CoreTimeSplit = (typeof coreTimeSplits)[number];

export const coreTimeSplit = signal<CoreTimeSplit>('functions');

/** The id of the selected part; '' = none. */
export const coreTimePart = signal('');

/** The id of the part that fills the picture; '' = the whole. */
export const coreTimeZoom = signal('');
