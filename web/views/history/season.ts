import { factParts } from '../../domain/facts';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { partsText } from '../../plot/format';

export type HistoryRun = Row<'history'>;
/** Runs stand evenly, or by their date. */
export type Spacing = 'run' | 'day';
export type Level = Row<'history_levels'>;

/** A number over the runs, in their order. */
export interface Series {
  id: string;
  label: string;
  unit: string;
  /** 'higher', 'lower' */
  better: string;
  values: Float64Array;
  /** runs whose value is in no level */
  outliers: ReadonlySet<number>;
  levels: readonly Level[];
}

/** Runs of one work in order of time, and what changed between them. */
export interface Season {
  runs: readonly HistoryRun[];
  /** those that changed first */
  series: readonly Series[];
  /** changes of several numbers at once, the newest first */
  events: readonly SeasonEvent[];
}

export interface SeasonEvent {
  number: number;
  /** rows of runs: the first after is one of these */
  first: number;
  last: number;
  at: number;
  labels: string;
  changes: readonly { series: Series; level: Level; before: Level }[];
}

export function seasonOf(
  history: Table<'history'>,
  series: Table<'history_series'>,
  levels: Table<'history_levels'>,
): Season {
  const runs = rowsOf(history);
  const allLevels = rowsOf(levels);
  const matrix = (name: 'values' | 'outliers', row: number) =>
    series.numbers(name).subarray(row * runs.length, (row + 1) * runs.length);
  const all = rowsOf(series).map(
    ({ id, label, unit, better }, row): Series => ({
      id,
      label,
      unit,
      better,
      values: matrix('values', row),
      outliers: new Set(
        [...matrix('outliers', row).keys()].filter((i) => matrix('outliers', row)[i] === 1),
      ),
      levels: allLevels.filter((level) => level.series === id),
    }),
  );
  const changes = all.flatMap((one) =>
    one.levels.flatMap((level, i) => {
      const before = one.levels[i - 1];
      return before && Number.isFinite(level.change) ? [{ series: one, level, before }] : [];
    }),
  );
  const numbers = [...new Set(changes.map(({ level }) => level.event))].sort((a, b) => b - a);
  const hasChanged = (one: Series) => one.levels.some(({ change }) => Number.isFinite(change));
  return {
    runs,
    series: [...all.filter(hasChanged), ...all.filter((one) => !hasChanged(one))],
    events: numbers.map((number) => {
      const own = changes.filter(({ level }) => level.event === number);
      return {
        number,
        // the best placed of them
        first: Math.max(...own.map(({ level }) => level.first)),
        last: Math.min(...own.map(({ level }) => level.last)),
        at: own[0]?.level.begin ?? 0,
        labels: own[0]?.level.labels ?? '',
        changes: own,
      };
    }),
  };
}

/** A value of a series for people. */
export const seriesText = ({ id, unit }: Series, value: number): string =>
  partsText(factParts({ id, unit }, value));

/** "run 18, 2026-10-18" */
export const runText = (runs: readonly HistoryRun[], row: number): string =>
  [runs[row]?.title, runs[row]?.day].filter(Boolean).join(', ');
