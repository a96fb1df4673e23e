import { useMemo } from 'preact/hooks';
import { quantityOf, quantityTitle } from '../../domain/columns';
import { datasetColours } from '../../domain/datasetColours';
import { rowOfChunk } from '../../domain/points';
import type { Table } from '../../engine/table';
import { Swatch } from '../../plot/Legend';
import { hoveredChunk } from '../../state/hoveredChunk';
import type { TableColumn } from '../../ui/DataTable';
import {
  AnswerTable,
  markOfFile,
  minor,
  numberColumns,
  perMebibyte,
  textColumn,
} from '../common/columns';
import { PathText } from '../common/PathText';

/** Columns that are drawn by name; whatever else an answer has is a metric of the user's own. */
const known = new Set(
  (
    'chunk dataset file host entry_start entry_stop t_start t_end duration events bytes_read memory_before memory_after memory_delta ' +
    'bytes_per_second seconds_per_event memory_delta_per_event branches_accessed accessed_bytes lane outlier early error'
  ).split(' '),
);

export interface ChunkTableProps {
  /** an answer to `chunks`, all columns */
  table: Table;
  /** the datasets of the whole run, for their colours */
  whole: Table | undefined;
  /** rows that are shown; undefined = all */
  keep: ((row: number) => boolean) | undefined;
}

/** Every chunk, longest first. */
export function ChunkTable({ table, whole, keep }: ChunkTableProps) {
  const columns = useMemo<TableColumn[]>(() => {
    const colourOf = whole ? datasetColours(whole) : () => '--c-rest';
    const text = (column: string) => (row: number) => table.text(column, row) ?? '';
    const dataset = text('dataset');
    const mark = (row: number) =>
      table.number('early', row) === 1
        ? 'ended early'
        : table.number('outlier', row) === 1
          ? 'outlier'
          : '';
    const own = table.columns.filter(
      (column) => column.type === 'number' && !column.matrix && !known.has(column.name),
    );
    const ifTold = (id: string, title: string, of: (row: number) => string): TableColumn[] =>
      Array.from({ length: table.rows }, (_, row) => row).some(of)
        ? [textColumn(id, title, of, { minor: true, cell: (row) => <PathText path={of(row)} /> })]
        : [];
    return [
      textColumn('dataset', 'Dataset', dataset, {
        cell: (row) => (
          <span class="dataset-name">
            <Swatch colour={colourOf(dataset(row))} />
            <span>{dataset(row)}</span>
          </span>
        ),
      }),
      ...ifTold('file', 'File', text('file')),
      ...ifTold('host', 'Host', text('host')),
      ...numberColumns(table, [
        ['entry_start', 'first entry', 1, minor],
        ['t_start', 'start (s)'],
        ['duration', 'in process() (s)'],
      ]),
      ...ifTold('mark', 'for its size', mark),
      ...numberColumns(table, [
        ['events', 'events'],
        ['seconds_per_event', 'µs/event', 1e6, minor],
        ['bytes_read', 'MB read', 1e-6, minor],
        ['memory_delta', 'Δ memory (MiB)', perMebibyte, minor],
        ['branches_accessed', 'branches', 1, minor],
        ...own.map(({ name }) => [name, quantityTitle(quantityOf(name)), 1, minor] as const),
      ]),
      ...(table.has('error') ? ifTold('error', 'error', text('error')) : []),
    ];
  }, [table, whole]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      keep={keep}
      rowClass={markOfFile(table)}
      label="Chunks"
      sortedBy="duration"
      descending
      maxHeight={460}
      selectedRow={rowOfChunk(table, hoveredChunk.value)}
      onHover={(row) => {
        hoveredChunk.value = row === undefined ? undefined : table.number('chunk', row);
      }}
      testId="chunk-table"
    />
  );
}
