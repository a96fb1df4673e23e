import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { toggleName } from '../../state/selection';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumns } from '../common/numberColumn';
import { PathText } from '../common/PathText';

/** What each file holds and how much of it was read. */
export function FileTable({ table }: { table: Table }) {
  const maxHeight = useTableHeight(420);
  const columns = useMemo<TableColumn[]>(() => {
    const text = (name: string) => (row: number) => table.text(name, row) ?? '';
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
      },
      ...numberColumns(table, [
        { id: 'chunks', title: 'chunks', column: 'chunks' },
        {
          id: 'compression',
          title: 'compression ratio',
          column: 'compression_ratio',
          minor: true,
        },
        { id: 'branches-read', title: 'branches read', column: 'branches_read', minor: true },
        {
          id: 'branch-share',
          title: 'of branches (%)',
          column: 'branches_read_fraction',
          factor: 100,
        },
        { id: 'size', title: 'tree (MB)', column: 'tree_bytes', factor: 1e-6, minor: true },
        { id: 'bytes', title: 'read (MB)', column: 'bytes_read', factor: 1e-6 },
        {
          id: 'chunk-bytes',
          title: 'by chunks (MB)',
          column: 'chunk_bytes',
          factor: 1e-6,
          minor: true,
        },
        { id: 'byte-share', title: 'bytes read (%)', column: 'bytes_read_fraction', factor: 100 },
      ]),
    ];
  }, [table]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="Files"
      sortedBy="bytes"
      descending
      maxHeight={maxHeight}
      onRow={(row) => toggleName('files', table.text('file', row) ?? '')}
      testId="file-table"
    />
  );
}
