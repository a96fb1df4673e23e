import { useMemo } from 'preact/hooks';
import { DataTable, type TableColumn } from '../../charts/DataTable';
import { Swatch } from '../../charts/Legend';
import type { Table } from '../../engine/table';
import { datasetColours } from '../common/datasetColours';
import { numberColumn } from './numberColumn';

/** One row per dataset: what its chunks took and how fast they went. */
export function DatasetTable({ table, whole }: { table: Table; whole: Table }) {
  const columns = useMemo<TableColumn[]>(() => {
    const colourOf = datasetColours(whole);
    const name = (row: number) => table.text('name', row) ?? '';
    return [
      {
        id: 'name',
        title: 'Dataset',
        align: 'left',
        order: name,
        cell: (row) => (
          <span class="dataset-name" title={name(row)}>
            <Swatch colour={colourOf(name(row))} />
            <span>{name(row)}</span>
          </span>
        ),
      },
      ...numberColumn(table, { id: 'chunks', title: 'chunks', column: 'chunks' }),
      ...numberColumn(table, { id: 'events', title: 'events (k)', column: 'events', factor: 1e-3 }),
      ...numberColumn(table, { id: 'seconds', title: 'core-s in process()', column: 'seconds' }),
      ...numberColumn(table, { id: 'share', title: 'share (%)', column: 'share', factor: 100, minor: true }),
      ...numberColumn(table, { id: 'mean', title: 'mean (s)', column: 'mean', minor: true }),
      ...numberColumn(table, { id: 'p50', title: 'median (s)', column: 'p50', minor: true }),
      ...numberColumn(table, { id: 'p95', title: 'p95 (s)', column: 'p95', minor: true }),
      ...numberColumn(table, { id: 'max', title: 'max (s)', column: 'max', minor: true }),
      ...numberColumn(table, {
        id: 'per-event',
        title: 'µs/event',
        column: 'seconds_per_event',
        factor: 1e6,
        minor: true,
      }),
      ...numberColumn(table, { id: 'rate', title: 'kHz per core', column: 'events_per_second', factor: 1e-3 }),
      ...numberColumn(table, {
        id: 'byte-rate',
        title: 'MB/s per core',
        column: 'bytes_per_second',
        factor: 1e-6,
        minor: true,
      }),
      ...numberColumn(table, { id: 'bytes', title: 'MB read', column: 'bytes', factor: 1e-6, minor: true }),
      ...numberColumn(table, {
        id: 'memory',
        title: 'Δ memory (MiB)',
        column: 'memory_delta_mean',
        factor: 1 / 1024 ** 2,
        minor: true,
        explain: 'mean change of the process’s memory per chunk; with several threads per worker it means little',
      }),
    ];
  }, [table, whole]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="Datasets"
      sortedBy="seconds"
      descending
      testId="dataset-table"
    />
  );
}
