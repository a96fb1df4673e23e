import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, numberColumns, textColumn } from '../common/columns';

/** The branches that were read, most chunks first. */
export function BranchTable({ table }: { table: Table<'branches'> }) {
  const columns = useMemo<TableColumn[]>(() => {
    const branch = (row: number) => table.text('branch', row) ?? '';
    const inNames = (row: number) => (
      <span title={table.text('dataset_names', row)}>{table.number('datasets', row)}</span>
    );
    return [
      textColumn('branch', 'Branch', branch, {
        cell: (row) => <span class="mono">{branch(row)}</span>,
      }),
      ...numberColumns(table, [
        ['share_of_chunks', '% of chunks', 100],
        ['datasets', 'datasets', 1, { cell: inNames }],
        ['files', 'files'],
        ['chunks', 'chunks'],
        ['bytes', 'MB', 1e-6],
      ]),
    ];
  }, [table]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label="Branches"
      sortedBy="chunks"
      descending
      maxHeight={900}
      testId="branch-table"
    />
  );
}
