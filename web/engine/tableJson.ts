import type { Column, Table } from './table';

/** A Table in the form that `crema ask --json` prints. */
export interface TableJson {
  question: string;
  rows: number;
  columns: { name: string; type: string; unit: string; values: unknown[] }[];
  notes: Record<string, number | string | null>;
}

// JSON knows no NaN, and the command line prints no minus before a zero.
const finite = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

/** null = missing; a matrix column has an array per row. */
export function tableJson(table: Table): TableJson {
  const cell = (column: Column, row: number): unknown => {
    if (column.type === 'text') return table.text(column.name, row) ?? null;
    const values = Array.from(
      column.numbers.subarray(row * column.width, (row + 1) * column.width),
      finite,
    );
    const shown =
      column.type === 'flag'
        ? values.map((value) => (value === null ? null : value !== 0))
        : values;
    return column.matrix ? shown : shown[0];
  };
  return {
    question: table.question,
    rows: table.rows,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      unit: column.unit,
      values: Array.from({ length: table.rows }, (_, row) => cell(column, row)),
    })),
    notes: Object.fromEntries(
      Object.entries(table.notes).map(([name, value]) => [
        name,
        typeof value === 'number' ? finite(value) : value,
      ]),
    ),
  };
}
