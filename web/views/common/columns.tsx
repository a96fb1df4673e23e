import type { NumbersOf, QuestionName } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { columnDecimals, fixed } from '../../plot/format';
import { markOf } from '../../state/finding';
import { DataTable, type DataTableProps, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';

/** A text at the left, by which rows can be sorted; '' is shown as "–". */
export const textColumn = (
  id: string,
  title: string,
  text: (row: number) => string,
  more: Partial<TableColumn> = {},
): TableColumn => ({
  id,
  title,
  align: 'left',
  order: text,
  cell: (row) => text(row) || '–',
  ...more,
});

/** The answer's column, its title with the one unit, and what its numbers are multiplied by. */
export type NumberColumn<Q extends QuestionName> = readonly [
  column: NumbersOf<Q>,
  title: string,
  factor?: number,
  more?: Partial<TableColumn>,
];

export const minor = { minor: true };
export const perMebibyte = 1 / 1024 ** 2;

/** Columns of numbers, each in one unit; those that the answer has no numbers for are left out. */
export function numberColumns<Q extends QuestionName>(
  table: Table<Q>,
  columns: readonly NumberColumn<Q>[],
): TableColumn[] {
  return columns.flatMap(([column, title, factor = 1, more = {}]) => {
    if (!table.has(column)) return [];
    const recorded = table.numbers(column);
    const values = factor === 1 ? recorded : recorded.map((value) => value * factor);
    if (!values.some(Number.isFinite)) return [];
    const decimals = columnDecimals(values);
    const { formula } = table.column(column);
    const of = (row: number) => values[row] ?? Number.NaN;
    return [
      {
        id: column,
        title,
        align: 'right',
        order: of,
        cell: (row) => (Number.isFinite(of(row)) ? fixed(of(row), decimals) : '–'),
        explain: formula ? () => formula : undefined,
        ...more,
      },
    ];
  });
}

/** What the followed finding says of a row with a file, by the file, its dataset and its host. */
export const markOfFile = (table: Table) => (row: number) =>
  markOf({
    files: table.text('file', row) ?? '',
    datasets: table.text('dataset', row) ?? '',
    hosts: table.text('host', row) ?? '',
  });

export interface AnswerTableProps extends Omit<DataTableProps, 'rows'> {
  table: Table;
  maxHeight: number;
}

/** The rows of an answer, which fill the page where their panel does. */
export const AnswerTable = ({ table, maxHeight, ...rest }: AnswerTableProps) => (
  <DataTable {...rest} rows={table.rows} maxHeight={useTableHeight(maxHeight)} />
);
