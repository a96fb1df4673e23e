import type { ComponentChildren } from 'preact';
import type { Table } from '../../engine/table';
import { fixed, percent, significant } from '../../plot/format';
import { at } from '../../plot/numbers';
import { Button } from '../../ui/Button';
import type { TableColumn } from '../../ui/DataTable';
import { tooltipOn } from '../../ui/tooltip';

export interface Sort {
  id: string;
  descending: boolean;
}

interface SortButtonProps {
  column: TableColumn;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The head of a column, which sorts the rows. */
export function SortButton({
  column: { id, title, align, explain },
  sort,
  onSort,
}: SortButtonProps) {
  const now = sort.id === id;
  return (
    <Button
      class="sort-button"
      data-testid={`sort-${id}`}
      onClick={() => onSort({ id, descending: now ? !sort.descending : align === 'right' })}
      {...(explain ? tooltipOn(explain) : {})}
    >
      {title}
      {now ? (sort.descending ? ' ↓' : ' ↑') : ''}
    </Button>
  );
}

/** The order in which rows stand at first. */
export const joined = (workers: Table<'workers'>): TableColumn => ({
  id: 'joined',
  title: 'in order of joining',
  align: 'left',
  cell: () => '',
  order: (row) => workers.number('first_seen', row),
});

/** The numbers that the run has of its workers. */
export function workerColumns(workers: Table<'workers'>): TableColumn[] {
  const column = (
    id: 'times_others' | 'cpu_mean' | 'memory_peak' | 'executions' | 'lost',
    title: string,
    text: (value: number, row: number) => ComponentChildren,
    order = (row: number) => workers.number(id, row),
  ): TableColumn[] => {
    const values = workers.numbers(id);
    if (!values.some(Number.isFinite)) return [];
    return [
      {
        id,
        title,
        align: 'right',
        order,
        cell: (row) => (Number.isFinite(at(values, row)) ? text(at(values, row), row) : '–'),
        explain: () => workers.column(id).formula,
      },
    ];
  };
  const isSlow = (row: number) => workers.number('slow', row) === 1;
  return [
    ...column(
      'times_others',
      '× others',
      (value, row) => (
        <span
          class={isSlow(row) ? 'unlike' : workers.number('slow', row) === 0 ? '' : 'muted'}
          data-testid={isSlow(row) ? 'slow-worker' : ''}
          {...tooltipOn(() => workers.text('slow_why', row))}
        >
          {significant(value)}
        </span>
      ),
      // few chunks may have taken longer by chance: those that are certainly slow come first
      (row) => workers.number('times_others', row) + (isSlow(row) ? 1e6 : 0),
    ),
    ...column('cpu_mean', 'CPU', (value) => percent(value)),
    ...column('memory_peak', 'MiB', (value) => fixed(value / 2 ** 20, 0)),
    ...column('executions', 'tasks', (value) => fixed(value, 0)),
    ...column('lost', 'lost', (value) => fixed(value, 0)),
  ];
}
