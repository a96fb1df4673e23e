import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { numberColumns } from '../common/numberColumn';

/**
 * One row per named section of process(). Sections can lie inside one another: they are listed, not
 * stacked.
 */
export function SectionTable({ table }: { table: Table }) {
  const maxHeight = useTableHeight(330);
  const columns = useMemo<TableColumn[]>(() => {
    const name = (row: number) => table.text('name', row) ?? '';
    return [
      { id: 'name', title: 'Section', align: 'left', order: name, cell: name },
      ...numberColumns(table, [
        { id: 'chunks', title: 'chunks', column: 'chunks' },
        { id: 'seconds', title: 'core-s', column: 'seconds' },
        { id: 'share', title: '% of process()', column: 'share_of_process', factor: 100 },
        { id: 'mean', title: 'mean (s)', column: 'mean', minor: true },
        { id: 'p95', title: 'p95 (s)', column: 'p95', minor: true },
        { id: 'max', title: 'max (s)', column: 'max', minor: true },
        { id: 'bytes', title: 'MB read', column: 'bytes', factor: 1e-6, minor: true },
        {
          id: 'memory',
          title: 'Δ memory (MiB)',
          column: 'memory_delta',
          factor: 1 / 1024 ** 2,
          minor: true,
        },
      ]),
    ];
  }, [table]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="By section"
      sortedBy="seconds"
      descending
      maxHeight={maxHeight}
      testId="section-table"
    />
  );
}
