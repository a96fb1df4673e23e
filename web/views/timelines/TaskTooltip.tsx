import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { bytes, duration, fixed } from '../../plot/format';

/** One action of a task: what, when, where. */
export function TaskTooltip({ table, row }: { table: Table<'tasks'>; row: number }) {
  const number = (name: NumbersOf<'tasks'>) => table.number(name, row);
  const size = number('nbytes');
  return (
    <div class="chunk-tooltip" data-testid="task-tooltip">
      <b>{table.text('prefix', row)}</b> · {table.text('action', row)} ·{' '}
      {table.text('status', row) ?? ''}
      <br />
      {fixed(number('t0'), 2)} → {fixed(number('t1'), 2)}&#8201;s ·{' '}
      <b>{duration(number('duration'))}</b>
      <br />
      {table.text('worker', row)}
      {Number.isFinite(size) ? ` · result ${bytes(size)}` : ''}
      <br />
      <span class="path">{table.text('key', row)}</span>
      {table.text('exception', row) ? (
        <>
          <br />
          <b>{table.text('exception', row)}</b>
        </>
      ) : null}
    </div>
  );
}
