import { type Row, rowsOf, type Table } from '../../engine/table';
import { fixed, significant } from '../../plot/format';

/** A run of a study; `place` is its number in the pictures, from 1 for the smallest. */
export type StudyRow = Row<'scaling'> & { place: number };

export interface Study {
  /** of the rate that is studied */
  unit: string;
  rows: StudyRow[];
}

export const studyOf = (table: Table<'scaling'>): Study => ({
  unit: String(table.notes.rate ?? 'kHz'),
  rows: rowsOf(table).map((row, index) => ({ ...row, place: index + 1 })),
});

/** Time averages of a steady number of cores are whole but for rounding. */
export const coresText = (cores: number): string =>
  Math.abs(cores - Math.round(cores)) < 0.005 ? fixed(cores, 0) : significant(cores);

export const isPlaced = (row: StudyRow): boolean => row.cores > 0 && row.rate > 0;
