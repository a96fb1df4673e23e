import { oneOf, text } from './codecs';
import { linked } from './parameter';
import { useAnswer } from './useAnswer';

export const coreTimeSplits = ['functions', 'datasets', 'sections', 'activities'] as const;
/** What process() unfolds into; the values of the option `by` of `core_time_tree`. */
export type CoreTimeSplit = (typeof coreTimeSplits)[number];

/** What process() is split by. */
export const coreTimeSplit = linked('split', oneOf(coreTimeSplits), 'functions');

/** What it can be split by, and is: functions are known from a profile alone. */
export function useCoreTimeSplit(): { by: CoreTimeSplit; splits: readonly CoreTimeSplit[] } {
  const isProfiled = useAnswer('profiles').table?.rows !== 0;
  const splits = isProfiled ? coreTimeSplits : coreTimeSplits.slice(1);
  const chosen = coreTimeSplit.value;
  return { by: splits.find((split) => split === chosen) ?? 'datasets', splits };
}

/** The selected part of the core-time, by its id. */
export const coreTimePart = linked('part', text, '');

/** The part of the core-time that is zoomed to, by its id. */
export const coreTimeZoom = linked('in', text, '');

/** What links say of it, in the order in which they are written. */
export const ofCoreTime = { coreTimeSplit, coreTimePart, coreTimeZoom };

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
