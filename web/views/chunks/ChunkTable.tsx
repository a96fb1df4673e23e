import { useMemo } from 'preact/hooks';
import { quantityOf, quantityTitle } from '../../domain/columns';
import { datasetColours } from '../../domain/datasetColours';
import { rowOfChunk } from '../../domain/points';
import type { Table } from '../../engine/table';
import { Swatch } from '../../plot/Legend';
import { hoveredChunk } from '../../state/hoveredChunk';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumn, numberColumns } from '../common/numberColumn';
import { PathText } from '../common/PathText';

/** Columns that are drawn by name; whatever else an answer has is a metric of the user's own. */
const known = new Set(
  (
    'chunk dataset file host entry_start entry_stop t_start t_end duration events bytes_read memory_before memory_after memory_delta ' +
    'bytes_per_second seconds_per_event memory_delta_per_event branches_accessed accessed_bytes lane outlier early error'
  ).split(' '),
);

function someRow(rows: number, holds: (row: number) => unknown): boolean {
  for (let row = 0; row < rows; row += 1) if (holds(row)) return true;
  return false;
}

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
  const maxHeight = useTableHeight(460);
  const columns = useMemo<TableColumn[]>(() => {
    const colourOf = whole ? datasetColours(whole) : () => '--c-rest';
    const text = (column: string) => (row: number) => table.text(column, row) ?? '';
    const dataset = text('dataset');
    const file = text('file');
    const host = text('host');
    const mark = (row: number) =>
      table.number('early', row) === 1
        ? 'ended early'
        : table.number('outlier', row) === 1
          ? 'slow'
          : '';
    const own = table.columns.filter(
      (column) => column.type === 'number' && !column.matrix && !known.has(column.name),
    );
    const textColumn = (id: string, title: string, of: (row: number) => string): TableColumn[] =>
      someRow(table.rows, of)
        ? [
            {
              id,
              title,
              align: 'left',
              order: of,
              minor: true,
              cell: (row) => <PathText path={of(row)} />,
            },
          ]
        : [];
    return [
      {
        id: 'dataset',
        title: 'Dataset',
        align: 'left',
        order: dataset,
        cell: (row) => (
          <span class="dataset-name">
            <Swatch colour={colourOf(dataset(row))} />
            <span>{dataset(row)}</span>
          </span>
        ),
      },
      ...textColumn('file', 'File', file),
      ...textColumn('host', 'Host', host),
      ...numberColumns(table, [
        { id: 'entry', title: 'first entry', column: 'entry_start', minor: true },
        { id: 'start', title: 'start (s)', column: 't_start' },
        { id: 'duration', title: 'in process() (s)', column: 'duration' },
      ]),
      ...textColumn('mark', 'for its size', mark),
      ...numberColumns(table, [
        { id: 'events', title: 'events', column: 'events' },
        {
          id: 'per-event',
          title: 'µs/event',
          column: 'seconds_per_event',
          factor: 1e6,
          minor: true,
        },
        { id: 'bytes', title: 'MB read', column: 'bytes_read', factor: 1e-6, minor: true },
        {
          id: 'memory',
          title: 'Δ memory (MiB)',
          column: 'memory_delta',
          factor: 1 / 1024 ** 2,
          minor: true,
        },
        { id: 'branches', title: 'branches', column: 'branches_accessed', minor: true },
      ]),
      ...own.flatMap((column) =>
        numberColumn(table, {
          id: `own-${column.name}`,
          title: quantityTitle(quantityOf(column.name)),
          column: column.name,
          minor: true,
        }),
      ),
      ...(table.has('error') ? textColumn('error', 'error', text('error')) : []),
    ];
  }, [table, whole]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      keep={keep}
      label="Chunks"
      sortedBy="duration"
      descending
      maxHeight={maxHeight}
      selectedRow={rowOfChunk(table, hoveredChunk.value)}
      onHover={(row) => {
        hoveredChunk.value = row === undefined ? undefined : table.number('chunk', row);
      }}
      testId="chunk-table"
    />
  );
}
