import type { NumbersOf, QuestionName } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { columnDecimals, fixed } from '../../plot/format';
import type { TableColumn } from '../../ui/DataTable';

export interface NumberColumnSpec<Q extends QuestionName> {
  id: string;
  /** with the column's one unit */
  title: string;
  column: NumbersOf<Q>;
  /** from the answer's unit to the shown one */
  factor?: number;
  minor?: boolean;
  explain?: string;
}

/**
 * A column of numbers in one unit; undefined when the answer has no such column or nothing in it.
 */
export function numberColumn<Q extends QuestionName>(
  table: Table<Q>,
  spec: NumberColumnSpec<Q>,
): TableColumn[] {
  if (!table.has(spec.column)) return [];
  const { factor = 1 } = spec;
  const values =
    factor === 1
      ? table.numbers(spec.column)
      : table.numbers(spec.column).map((value) => value * factor);
  if (!values.some(Number.isFinite)) return [];
  const decimals = columnDecimals(values);
  const explain = [spec.explain, table.column(spec.column).formula].filter(Boolean).join('. ');
  return [
    {
      id: spec.id,
      title: spec.title,
      align: 'right',
      minor: spec.minor ?? false,
      order: (row) => values[row] ?? Number.NaN,
      cell: (row) => {
        const value = values[row] ?? Number.NaN;
        return Number.isFinite(value) ? fixed(value, decimals) : '–';
      },
      explain: explain ? () => explain : undefined,
    },
  ];
}

/** Several of them; those without numbers are left out. */
export const numberColumns = <Q extends QuestionName>(
  table: Table<Q>,
  specs: readonly NumberColumnSpec<Q>[],
): TableColumn[] => specs.flatMap((spec) => numberColumn(table, spec));
