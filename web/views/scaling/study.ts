import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { fixed, significant } from '../../plot/format';

/** A row of the `scaling` question: a run of the study, smallest first. */
export interface StudyRow {
  /** its place in the list, from 1: what it is called in pictures */
  place: number;
  id: RunId;
  title: string;
  /** time average; NaN = not known */
  cores: number;
  /** in the study's unit */
  rate: number;
  perCore: number;
  efficiency: number;
}

export interface Study {
  /** of the rate that is studied */
  unit: string;
  column: 'event_rate_khz' | 'data_rate_gbps';
  rows: StudyRow[];
  /** why there is no fit; '' when there is one */
  noFit: string;
}

export function studyOf(table: Table): Study {
  const unit = String(table.notes.rate ?? 'kHz');
  const column = unit === 'Gbps' ? 'data_rate_gbps' : 'event_rate_khz';
  return {
    unit,
    column,
    noFit: typeof table.notes.fit === 'string' ? table.notes.fit : '',
    rows: Array.from({ length: table.rows }, (_, row) => ({
      place: row + 1,
      id: table.number('number', row),
      title: table.text('run', row) ?? '',
      cores: table.number('cores', row),
      rate: table.number(column, row),
      perCore: table.number('rate_per_core', row),
      efficiency: table.number('efficiency_vs_ideal', row),
    })),
  };
}

/** Time averages of a steady number of cores are whole but for rounding. */
export const coresText = (cores: number): string =>
  Math.abs(cores - Math.round(cores)) < 0.005 ? fixed(cores, 0) : significant(cores);

/** A number among the notes; NaN when it is not there. */
export const noteNumber = (table: Table | undefined, name: string): number => {
  const note = table?.notes[name];
  return typeof note === 'number' ? note : Number.NaN;
};

export const isPlaced = (row: StudyRow): boolean => row.cores > 0 && row.rate > 0;
