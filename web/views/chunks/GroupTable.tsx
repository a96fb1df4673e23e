import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { Swatch } from '../../plot/Legend';
import { markOf } from '../../state/finding';
import { toggleName } from '../../state/selection';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, minor, numberColumns, perMebibyte, textColumn } from '../common/columns';
import { PathText } from '../common/PathText';

export interface GroupTableProps {
  table: Table<'datasets' | 'files' | 'hosts' | 'sites'>;
  /** what its rows are names of: a click on one selects it */
  dimension: 'datasets' | 'files' | 'hosts';
  title: string;
  /** colour token of a name; undefined where the groups have no colours */
  colourOf?: ((name: string) => string) | undefined;
}

const unreliable =
  'mean change of the process’s memory per chunk; unreliable with several threads per worker';

/** One row per dataset, file or host: what its chunks took and how fast they went. */
export function GroupTable({ table, dimension, title, colourOf }: GroupTableProps) {
  const columns = useMemo<TableColumn[]>(() => {
    const name = (row: number) => table.text('name', row) ?? '';
    const shown = (row: number) => (
      <span class="dataset-name">
        {colourOf ? <Swatch colour={colourOf(name(row))} /> : null}
        <PathText path={name(row)} />
      </span>
    );
    return [
      textColumn('name', title, name, { cell: shown }),
      ...numberColumns(table, [
        ['chunks', 'chunks'],
        ['events', 'events (k)', 1e-3],
        ['seconds', 'core-s in process()'],
        ['share', 'share (%)', 100, minor],
        ['mean', 'mean (s)', 1, minor],
        ['p50', 'median (s)', 1, minor],
        ['p95', 'p95 (s)', 1, minor],
        ['max', 'max (s)', 1, minor],
        ['seconds_per_event', 'µs/event', 1e6, minor],
        ['fixed_seconds', 'fixed (s)', 1, minor],
        ['seconds_per_event_slope', '+ µs/event', 1e6, minor],
        ['events_per_second', 'kHz per core', 1e-3],
        ['bytes_per_second', 'MB/s per core', 1e-6, minor],
        ['bytes', 'MB read', 1e-6, minor],
        [
          'memory_delta_mean',
          'Δ memory (MiB)',
          perMebibyte,
          { ...minor, explain: () => unreliable },
        ],
        ['outliers', 'outliers', 1, minor],
      ]),
    ];
  }, [table, title, colourOf]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label={`By ${title.toLowerCase()}`}
      sortedBy="seconds"
      descending
      maxHeight={330}
      rowClass={(row) => markOf({ [dimension]: table.text('name', row) ?? '' })}
      onRow={(row) => toggleName(dimension, table.text('name', row) ?? '')}
      testId="group-table"
    />
  );
}
