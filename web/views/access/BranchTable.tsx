import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumn, numberColumns } from '../common/numberColumn';

/** The branches that were read, most chunks first. */
export function BranchTable({ table }: { table: Table<'branches'> }) {
  const maxHeight = useTableHeight(900);
  const columns = useMemo<TableColumn[]>(() => {
    const branch = (row: number) => table.text('branch', row) ?? '';
    return [
      {
        id: 'branch',
        title: 'Branch',
        align: 'left',
        order: branch,
        cell: (row) => <span class="mono">{branch(row)}</span>,
      },
      ...numberColumn(table, {
        id: 'share',
        title: '% of chunks',
        column: 'share_of_chunks',
        factor: 100,
      }),
      {
        id: 'datasets',
        title: 'datasets',
        align: 'right',
        order: (row) => table.number('datasets', row),
        cell: (row) => (
          <span title={table.text('dataset_names', row)}>{table.number('datasets', row)}</span>
        ),
        explain: () => table.column('datasets').formula,
      },
      ...numberColumns(table, [
        { id: 'files', title: 'files', column: 'files' },
        { id: 'chunks', title: 'chunks', column: 'chunks' },
        { id: 'bytes', title: 'MB', column: 'bytes', factor: 1e-6 },
      ]),
    ];
  }, [table]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="Branches"
      sortedBy="chunks"
      descending
      maxHeight={maxHeight}
      testId="branch-table"
    />
  );
}
