import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, minor, numberColumns, perMebibyte, textColumn } from '../common/columns';

/**
 * One row per named section of process(). Sections can lie inside one another: they are listed, not
 * stacked.
 */
export function SectionTable({ table }: { table: Table }) {
  const columns = useMemo<TableColumn[]>(
    () => [
      textColumn('name', 'Section', (row) => table.text('name', row) ?? ''),
      ...numberColumns(table, [
        ['chunks', 'chunks'],
        ['seconds', 'core-s'],
        ['share_of_process', '% of process()', 100],
        ['mean', 'mean (s)', 1, minor],
        ['p95', 'p95 (s)', 1, minor],
        ['max', 'max (s)', 1, minor],
        ['bytes', 'MB read', 1e-6, minor],
        ['memory_delta', 'Δ memory (MiB)', perMebibyte, minor],
      ]),
    ],
    [table],
  );
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label="By section"
      sortedBy="seconds"
      descending
      maxHeight={330}
      testId="section-table"
    />
  );
}
