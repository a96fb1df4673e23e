import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { toggleName } from '../../state/selection';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, markOfFile, minor, numberColumns, textColumn } from '../common/columns';
import { PathText } from '../common/PathText';

/** What each file holds and how much of it was read. */
export function FileTable({ table }: { table: Table<'access'> }) {
  const columns = useMemo<TableColumn[]>(() => {
    const text = (name: 'file' | 'dataset' | 'host') => (row: number) =>
      table.text(name, row) ?? '';
    const file = text('file');
    const [pace, ...others] = numberColumns(table, [
      ['times_others', '× others'],
      ['bytes_per_second', 'MB/s', 1e-6],
      ['times_read', '× read'],
      ['bytes_read', 'used (MB)', 1e-6],
      ['bytes_read_fraction', 'used (%)', 100],
      ['chunks', 'chunks'],
      ['tree_bytes', 'tree (MB)', 1e-6, minor],
      ['branches_read_fraction', 'branches (%)', 100, minor],
    ]);
    const slow = (row: number) =>
      table.number('slow', row) === 1 ? (
        <span class="unlike" title="significantly slower than comparable files">
          {pace?.cell(row)}
        </span>
      ) : (
        pace?.cell(row)
      );
    return [
      textColumn('file', 'File', file, { cell: (row) => <PathText path={file(row)} /> }),
      textColumn('dataset', 'Dataset', text('dataset')),
      textColumn('host', 'Host', text('host'), { minor: true, className: 'spare' }),
      ...(pace ? [pace.id === 'times_others' ? { ...pace, cell: slow } : pace] : []),
      ...others,
    ];
  }, [table]);
  const paced = table.numbers('times_others').some(Number.isFinite);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label="Files"
      sortedBy={paced ? 'times_others' : 'bytes_read'}
      descending
      maxHeight={420}
      rowClass={markOfFile(table)}
      onRow={(row) => toggleName('files', table.text('file', row) ?? '')}
      testId="file-table"
    />
  );
}
