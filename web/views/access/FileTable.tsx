import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { toggleName } from '../../state/selection';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumn, numberColumns } from '../common/numberColumn';
import { PathText } from '../common/PathText';

/** What each file holds and how much of it was read. */
export function FileTable({ table }: { table: Table<'access'> }) {
  const maxHeight = useTableHeight(420);
  const columns = useMemo<TableColumn[]>(() => {
    const text = (name: 'file' | 'dataset' | 'host') => (row: number) =>
      table.text(name, row) ?? '';
    const file = text('file');
    const dataset = text('dataset');
    return [
      {
        id: 'file',
        title: 'File',
        align: 'left',
        order: file,
        cell: (row) => <PathText path={file(row)} />,
      },
      {
        id: 'dataset',
        title: 'Dataset',
        align: 'left',
        order: dataset,
        cell: (row) => dataset(row) || '–',
      },
      {
        id: 'host',
        title: 'Host',
        align: 'left',
        order: text('host'),
        cell: (row) => text('host')(row) || '–',
        minor: true,
        className: 'spare',
      },
      ...numberColumn(table, {
        id: 'pace',
        title: 'time / expected',
        column: 'times_expected',
      }).map((column) => ({
        ...column,
        cell: (row: number) =>
          table.number('slow', row) === 1 ? (
            <span class="unlike" title="significantly slower than comparable files">
              {column.cell(row)}
            </span>
          ) : (
            column.cell(row)
          ),
      })),
      ...numberColumns(table, [
        { id: 'rate', title: 'MB/s', column: 'bytes_per_second', factor: 1e-6 },
        { id: 'again', title: '× read', column: 'times_read' },
        { id: 'bytes', title: 'used (MB)', column: 'bytes_read', factor: 1e-6 },
        { id: 'byte-share', title: 'used (%)', column: 'bytes_read_fraction', factor: 100 },
        { id: 'chunks', title: 'chunks', column: 'chunks' },
        { id: 'size', title: 'tree (MB)', column: 'tree_bytes', factor: 1e-6, minor: true },
        {
          id: 'branch-share',
          title: 'branches (%)',
          column: 'branches_read_fraction',
          factor: 100,
          minor: true,
        },
      ]),
    ];
  }, [table]);
  const paced = table.numbers('times_expected').some(Number.isFinite);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="Files"
      sortedBy={paced ? 'pace' : 'bytes'}
      descending
      maxHeight={maxHeight}
      onRow={(row) => toggleName('files', table.text('file', row) ?? '')}
      testId="file-table"
    />
  );
}
