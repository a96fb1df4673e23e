import { useMemo } from 'preact/hooks';
import { commonFolder } from '../../engine/commonFolder';
import { bytes, listed } from '../../plot/format';
import { useAnswer } from '../../state/useAnswer';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { AddFile } from '../common/AddFile';
import { textColumn } from '../common/columns';
import { Panel } from '../common/Panel';

/** The files of the run and what each was recognised as. */
export function SourcesPanel() {
  const answer = useAnswer('sources');
  const { table } = answer;
  const columns = useMemo<TableColumn[]>(() => {
    if (!table) return [];
    const sizes = table.numbers('size');
    const file = (row: number) => table.text('file', row) ?? '';
    const shared = commonFolder(Array.from({ length: table.rows }, (_, row) => file(row))).length;
    const format = (row: number) =>
      listed([table.text('format', row), table.text('schema', row)], ', ').replaceAll('_', ' ');
    return [
      textColumn('file', 'File', file, {
        className: 'source-file',
        cell: (row) => (
          <span class="mono" title={file(row)}>
            {file(row).slice(shared)}
          </span>
        ),
      }),
      textColumn('format', 'recognised as', format, {
        cell: (row) => (
          <span class={format(row) ? '' : 'missing'} title={format(row)}>
            {format(row) || 'not recognised'}
          </span>
        ),
      }),
      {
        id: 'size',
        title: 'Size',
        align: 'right',
        className: 'source-size',
        order: (row) => sizes[row] ?? Number.NaN,
        cell: (row) => bytes(sizes[row] ?? Number.NaN),
      },
    ];
  }, [table]);
  return (
    <Panel
      title="Files"
      subtitle="of this run"
      answer={answer}
      actions={<AddFile />}
      className="sources"
      testId="sources"
    >
      {table ? (
        <DataTable columns={columns} rows={table.rows} label="Files of this run" maxHeight={420} />
      ) : null}
    </Panel>
  );
}
