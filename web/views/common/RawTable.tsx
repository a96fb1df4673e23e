import type { NumberColumn, Table, TextColumn } from '../../engine/table';
import { columnUnit, fixed, significant } from '../../plot/format';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';

/**
 * An answer as it came from the core, every column in one unit that suits it: the data of a
 * picture. Numbers are told in full on hover, and in its CSV.
 */
export function RawTable({ table }: { table: Table }) {
  const maxHeight = useTableHeight(420);
  const columns: TableColumn[] = table.columns.map((column) =>
    column.type === 'text' ? textColumn(table, column) : numberColumn(column),
  );
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label={`Table of ${table.question}`}
      maxHeight={maxHeight}
      testId="raw-table"
    />
  );
}

function textColumn(table: Table, column: TextColumn): TableColumn {
  const text = (row: number) => table.text(column.name, row) ?? '';
  return {
    id: column.name,
    title: plainName(column.name),
    align: 'left',
    order: text,
    cell: (row) => <span title={text(row)}>{text(row) || '–'}</span>,
    explain: column.formula ? () => column.formula : undefined,
  };
}

function numberColumn(column: NumberColumn): TableColumn {
  const { divisor, unit } = columnUnit(column.numbers, column.unit);
  const unitText = unit && unit !== 'count' && unit !== '1' ? ` (${unit})` : '';
  const width = column.matrix ? ` × ${column.width}` : '';
  const at = (row: number) => column.numbers[row * column.width] ?? Number.NaN;
  const text = (value: number) => rounded(value / divisor);
  return {
    id: column.name,
    title: `${plainName(column.name)}${unitText}${width}`,
    align: 'right',
    order: at,
    cell: (row) =>
      column.matrix ? (
        Array.from(
          column.numbers.subarray(row * column.width, (row + 1) * column.width),
          text,
        ).join(' ')
      ) : column.type === 'flag' && Number.isFinite(at(row)) ? (
        at(row) === 0 ? (
          'no'
        ) : (
          'yes'
        )
      ) : (
        <span title={Number.isFinite(at(row)) ? `${at(row)} ${column.unit}` : undefined}>
          {text(at(row))}
        </span>
      ),
    explain: column.formula ? () => column.formula : undefined,
  };
}

/** Columns are named as in code. */
const plainName = (name: string): string => name.replaceAll('_', ' ');

const rounded = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  return Number.isInteger(value) ? fixed(value, 0) : significant(value, 4);
};
