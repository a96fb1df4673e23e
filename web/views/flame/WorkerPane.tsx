import type { Table } from '../../engine/table';
import { setTree } from '../../state/flame';
import { AnswerTable, numberColumns, textColumn } from '../common/columns';

export interface WorkerPaneProps {
  spread: Table | undefined;
  error: string | undefined;
}

/** How much the call tree of each worker differs from that of all; a click opens it. */
export function WorkerPane({ spread, error }: WorkerPaneProps) {
  if (error) return <p class="refusal">{error}</p>;
  if (!spread) return <p class="muted">…</p>;
  if (!spread.has('distance') || spread.rows === 0)
    return <p class="muted">{String(spread.notes.missing ?? 'No worker has a profile.')}</p>;
  const text = (name: string) => (row: number) => spread.text(name, row) ?? '';
  return (
    <div class="worker-pane" data-testid="flame-workers">
      <AnswerTable
        table={spread}
        label="How much each worker differs from all workers"
        sortedBy="distance"
        descending
        maxHeight={420}
        onRow={(row) => setTree({ profile: text('profile')(row), mode: 'icicle', selected: '' })}
        columns={[
          textColumn('worker', 'Worker', text('worker')),
          ...numberColumns(spread, [
            ['total', 'Samples'],
            ['distance', 'Difference (%)', 100],
          ]),
          textColumn('function', 'Mostly in', text('function')),
          ...numberColumns(spread, [
            ['share', 'Its share here (%)', 100],
            ['usual', 'in all workers (%)', 100],
          ]),
        ]}
      />
    </div>
  );
}
