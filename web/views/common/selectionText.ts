import type { Seconds, Selection } from '../../engine/engine';
import { dateTime, duration, fixed, listed, significant } from '../../plot/format';
import type { OpenRun } from '../../state/runs';

/** "0–0.81 s": enough digits to tell begin from end. */
export function timeText([begin, end]: readonly [Seconds, Seconds]): string {
  const decimals = end - begin < 1 ? 2 : 1;
  return `${fixed(begin, decimals)}–${fixed(end, decimals)}\u2009s`;
}

type ColumnRange = NonNullable<Selection['ranges']>[number];

/** Columns of chunks that are ranges of something else than a plain number. */
const columnTexts: Record<string, (range: ColumnRange) => string> = {
  chunk: ({ lo, hi }) => (lo === hi ? `chunk ${lo}` : `chunks ${lo}–${hi}`),
  outlier: ({ lo }) => (lo > 0 ? 'outliers' : 'no outliers'),
  duration: ({ lo, hi }) => `${duration(lo)}–${duration(hi)} in process()`,
  seconds_per_event: ({ lo, hi }) => `${duration(lo)}–${duration(hi)} per event`,
};

/** A range of a column of chunks, for a chip or a link. */
export function rangeText(range: ColumnRange): string {
  const own = columnTexts[range.column];
  if (own) return own(range);
  return `${range.column.replaceAll('_', ' ')} ${significant(range.lo)}–${significant(range.hi)}`;
}

const several = (names: readonly string[], what: string): string => {
  const [only = ''] = names;
  if (names.length > 1) return `${names.length} ${what}s`;
  return only.length > 28 ? `…${only.slice(-27)}` : only;
};

/** What a selection narrows to, short, for the text of a link. */
export function selectionText(selection: Selection): string {
  const { time, datasets, files, hosts, workers, prefixes, ranges = [] } = selection;
  return listed(
    [
      time && timeText(time),
      datasets && several(datasets, 'dataset'),
      files && several(files, 'file'),
      hosts && several(hosts, 'host'),
      workers && several(workers, 'worker'),
      prefixes && several(prefixes, 'task'),
      ...ranges.map(rangeText),
    ],
    ', ',
  );
}

/** When the run began, by the scheduler's clock. */
export const startText = (run: OpenRun): string =>
  dateTime(Number.isFinite(run.started_naive) ? run.started_naive : run.started_at);
