import type { Table } from '../../../engine/table';
import { type Amounts, amountsOf } from './amounts';

/** The answer of `frames` with its rows at hand. */
export interface FunctionRows {
  table: Table;
  amounts: Amounts;
  /** the row of a frame; -1 when it is none of the tree's */
  rowOf: (frame: number) => number;
  name: (row: number) => string;
  place: (row: number) => string;
  category: (row: number) => string;
  number: (column: string, row: number) => number;
  sourceLine: (row: number) => string;
  /** the pattern that names exactly this function */
  pattern: (row: number) => string;
}

export function functionRows(table: Table): FunctionRows {
  const text = (column: string, row: number) =>
    table.has(column) ? (table.text(column, row) ?? '') : '';
  const number = (column: string, row: number) =>
    table.has(column) ? table.number(column, row) : Number.NaN;
  const rows = new Map<number, number>();
  for (let row = 0; row < table.rows; row += 1) rows.set(number('frame', row), row);
  const place = (row: number) => {
    const line = number('line', row);
    return text('file', row) && line > 0 ? `${text('file', row)}:${line}` : text('file', row);
  };
  return {
    table,
    amounts: amountsOf(table.notes),
    rowOf: (frame) => rows.get(frame) ?? -1,
    name: (row) => text('name', row),
    place,
    category: (row) => text('category', row),
    number,
    sourceLine: (row) => text('source_line', row).trim(),
    pattern: (row) => {
      const line = number('line', row);
      const at = place(row) ? `@${place(row)}` : line > 0 ? `:${line}` : '';
      return `function=${text('name', row)}${at}`;
    },
  };
}
