import type { NumberColumn, Table, TextColumn } from '../../engine/table';
import { columnUnit, fixed, significant } from '../../plot/format';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, textColumn } from './columns';

/**
 * An answer as it came from the core, every column in one unit that suits it: the data of a
 * picture. Numbers are told in full on hover, and in its CSV.
 */
export const RawTable = ({ table }: { table: Table }) => (
  <AnswerTable
    table={table}
    columns={table.columns.map((column) =>
      column.type === 'text' ? ofTexts(table, column) : ofNumbers(column),
    )}
    label={`Table of ${table.question}`}
    maxHeight={420}
    testId="raw-table"
  />
);

function ofTexts(table: Table, { name, formula }: TextColumn): TableColumn {
  const text = (row: number) => table.text(name, row) ?? '';
  return textColumn(name, plainName(name), text, {
    cell: (row) => <span title={text(row)}>{text(row) || '–'}</span>,
    explain: formula ? () => formula : undefined,
  });
}

function ofNumbers(column: NumberColumn): TableColumn {
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
