import { type Row, rowsOf, type Table } from '../engine/table';
import { partsText, percent, signed } from '../plot/format';
import { factParts } from './facts';

export type HistoryRun = Row<'history'>;
export type Level = Row<'history_levels'>;

/** A number over the runs, in their order. */
export interface Series {
  id: string;
  label: string;
  unit: string;
  /** 'higher', 'lower' */
  better: string;
  /** what makes runs of other sizes comparable */
  basis: string;
  values: Float64Array;
  /** of runs whose value is in no level: how far it is off */
  outliers: ReadonlyMap<number, number>;
}

/** Runs of one work in order of time, whatever is taken for a change. */
export interface RunHistory {
  runs: readonly HistoryRun[];
  series: readonly Series[];
  /** rows of runs of which a number, shown or not, is an outlier */
  outliers: ReadonlySet<number>;
}

/** What changed in a runHistory. */
export interface Changes {
  /** of each series, by its id */
  levels: ReadonlyMap<string, readonly Level[]>;
  /** changes of several numbers at once, the newest first */
  events: readonly HistoryEvent[];
}

export interface HistoryEvent {
  number: number;
  /** rows of runs: the first after is one of these */
  first: number;
  last: number;
  at: number;
  labels: string;
  findings: string;
  changes: readonly { series: Series; level: Level; before: Level }[];
}

export function runHistoryOf(
  history: Table<'history'>,
  series: Table<'history_series'>,
): RunHistory {
  const runs = rowsOf(history);
  const matrix = (name: 'values' | 'outliers', row: number) =>
    series.numbers(name).subarray(row * runs.length, (row + 1) * runs.length);
  const all = rowsOf(series).map(({ id, label, unit, better, basis }, row): Series => {
    const values = matrix('values', row);
    const off = matrix('outliers', row);
    return {
      id,
      label,
      unit,
      better,
      basis,
      values,
      outliers: new Map([...off.entries()].filter(([, change]) => Number.isFinite(change))),
    };
  });
  const outliers = new Set(all.flatMap((one) => [...one.outliers.keys()]));
  return { runs, series: all, outliers };
}

export const hasChanged = ({ change }: Level): boolean => Number.isFinite(change);

export function changesOf({ series }: RunHistory, table: Table<'history_levels'>): Changes {
  const levels = new Map<string, Level[]>();
  for (const level of rowsOf(table))
    levels.set(level.series, [...(levels.get(level.series) ?? []), level]);
  const changes = series.flatMap((one) => {
    const own = levels.get(one.id) ?? [];
    return own.flatMap((level, i) => {
      const before = own[i - 1];
      return before && hasChanged(level) ? [{ series: one, level, before }] : [];
    });
  });
  const numbers = [...new Set(changes.map(({ level }) => level.event))].sort((a, b) => b - a);
  return {
    levels,
    events: numbers.map((number) => {
      const own = changes.filter(({ level }) => level.event === number);
      return {
        number,
        // the best placed of them
        first: Math.max(...own.map(({ level }) => level.first)),
        last: Math.min(...own.map(({ level }) => level.last)),
        at: own[0]?.level.begin ?? 0,
        labels: own[0]?.level.labels ?? '',
        findings: own[0]?.level.findings ?? '',
        changes: own,
      };
    }),
  };
}

/** A value of a series for people. */
export const seriesText = ({ id, unit }: Series, value: number): string =>
  partsText(factParts({ id, unit }, value));

/** "+367 %"; a difference where values are not all above 0. */
export function outlierText(series: Series, row: number): string {
  const change = series.outliers.get(row) ?? Number.NaN;
  const isRatio = series.values.every((value) => !(value <= 0));
  return signed(isRatio ? percent(change) : seriesText(series, change), change);
}
