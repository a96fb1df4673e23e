import type { NumberColumn, Table, TextColumn } from '../../engine/table';
import { fixed } from '../../plot/format';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';

/**
 * An answer as it came from the core, every column with its unit: the twin of a picture, in full
 * precision.
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
    title: column.name,
    align: 'left',
    order: text,
    cell: (row) => <span title={text(row)}>{text(row) || '–'}</span>,
    explain: column.formula ? () => column.formula : undefined,
  };
}

function numberColumn(column: NumberColumn): TableColumn {
  const unit =
    column.unit && column.unit !== 'count' && column.unit !== '1' ? ` (${column.unit})` : '';
  const width = column.width > 1 ? ` × ${column.width}` : '';
  const at = (row: number) => column.numbers[row * column.width] ?? Number.NaN;
  return {
    id: column.name,
    title: `${column.name}${unit}${width}`,
    align: 'right',
    order: at,
    cell: (row) =>
      column.width > 1
        ? Array.from(
            column.numbers.subarray(row * column.width, (row + 1) * column.width),
            exact,
          ).join(' ')
        : column.type === 'flag' && Number.isFinite(at(row))
          ? at(row) === 0
            ? 'no'
            : 'yes'
          : exact(at(row)),
    explain: column.formula ? () => column.formula : undefined,
  };
}

const exact = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  return Number.isInteger(value) ? fixed(value, 0) : String(Number(value.toPrecision(10)));
};
