import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { Swatch } from '../../plot/Legend';
import { toggleName } from '../../state/selection';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumns } from '../common/numberColumn';
import { PathText } from '../common/PathText';

export interface GroupTableProps {
  table: Table<'datasets' | 'files' | 'hosts' | 'sites'>;
  /** what its rows are names of: a click on one selects it */
  dimension: 'datasets' | 'files' | 'hosts';
  title: string;
  /** colour token of a name; undefined where the groups have no colours */
  colourOf?: ((name: string) => string) | undefined;
}

/** One row per dataset, file or host: what its chunks took and how fast they went. */
export function GroupTable({ table, dimension, title, colourOf }: GroupTableProps) {
  const maxHeight = useTableHeight(330);
  const columns = useMemo<TableColumn[]>(() => {
    const name = (row: number) => table.text('name', row) ?? '';
    return [
      {
        id: 'name',
        title,
        align: 'left',
        order: name,
        cell: (row) => (
          <span class="dataset-name">
            {colourOf ? <Swatch colour={colourOf(name(row))} /> : null}
            <PathText path={name(row)} />
          </span>
        ),
      },
      ...numberColumns(table, [
        { id: 'chunks', title: 'chunks', column: 'chunks' },
        { id: 'events', title: 'events (k)', column: 'events', factor: 1e-3 },
        { id: 'seconds', title: 'core-s in process()', column: 'seconds' },
        { id: 'share', title: 'share (%)', column: 'share', factor: 100, minor: true },
        { id: 'mean', title: 'mean (s)', column: 'mean', minor: true },
        { id: 'p50', title: 'median (s)', column: 'p50', minor: true },
        { id: 'p95', title: 'p95 (s)', column: 'p95', minor: true },
        { id: 'max', title: 'max (s)', column: 'max', minor: true },
        {
          id: 'per-event',
          title: 'µs/event',
          column: 'seconds_per_event',
          factor: 1e6,
          minor: true,
        },
        { id: 'fixed', title: 'fixed (s)', column: 'fixed_seconds', minor: true },
        {
          id: 'slope',
          title: '+ µs/event',
          column: 'seconds_per_event_slope',
          factor: 1e6,
          minor: true,
        },
        { id: 'rate', title: 'kHz per core', column: 'events_per_second', factor: 1e-3 },
        {
          id: 'byte-rate',
          title: 'MB/s per core',
          column: 'bytes_per_second',
          factor: 1e-6,
          minor: true,
        },
        { id: 'bytes', title: 'MB read', column: 'bytes', factor: 1e-6, minor: true },
        {
          id: 'memory',
          title: 'Δ memory (MiB)',
          column: 'memory_delta_mean',
          factor: 1 / 1024 ** 2,
          minor: true,
          explain:
            'mean change of the process’s memory per chunk; unreliable with several threads per worker',
        },
        { id: 'outliers', title: 'outliers', column: 'outliers', minor: true },
      ]),
    ];
  }, [table, title, colourOf]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label={`By ${title.toLowerCase()}`}
      sortedBy="seconds"
      descending
      maxHeight={maxHeight}
      onRow={(row) => toggleName(dimension, table.text('name', row) ?? '')}
      testId="group-table"
    />
  );
}
