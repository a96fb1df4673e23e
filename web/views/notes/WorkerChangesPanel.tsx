import { countMarks, workerMarks } from '../../domain/workerMarks';
import { workerLabel } from '../../domain/workers';
import { rowsOf } from '../../engine/table';
import { count, fixed } from '../../plot/format';
import { useAnswer } from '../../state/useAnswer';
import { DataTable } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { textColumn } from '../common/columns';
import { Panel } from '../common/Panel';

/** Which workers came and went, and the reason that Dask gave. */
export function WorkerChangesPanel() {
  const answer = useAnswer('worker_changes');
  const workers = useAnswer('workers').table;
  const maxHeight = useTableHeight(260);
  const rows = rowsOf(answer.table);
  const moves = countMarks(workers ? workerMarks(workers) : []).map(
    ({ kind, found }) => `${count(found.length)} ${kind}`,
  );
  const name = (row: number) => {
    const address = rows[row]?.worker ?? '';
    return workers ? workerLabel(workers, address) : address;
  };
  if (rows.length + moves.length === 0) return null;
  return (
    <Panel title="Workers that came and went" answer={answer} testId="worker-changes">
      {rows.length > 0 ? (
        <DataTable
          label="Workers that came and went"
          rows={rows.length}
          sortedBy="t"
          maxHeight={maxHeight}
          columns={[
            {
              id: 't',
              title: 'at (s)',
              align: 'right',
              order: (row) => rows[row]?.t ?? Number.NaN,
              cell: (row) => fixed(rows[row]?.t ?? Number.NaN, 1),
            },
            textColumn('worker', 'Worker', name, {
              cell: (row) => <span title={rows[row]?.worker}>{name(row)}</span>,
            }),
            textColumn('change', 'change', (row) => rows[row]?.change ?? ''),
            textColumn('reason', 'reason', (row) => rows[row]?.reason ?? ''),
            {
              id: 'workers',
              title: 'workers since',
              align: 'right',
              cell: (row) => count(rows[row]?.workers ?? Number.NaN),
            },
          ]}
        />
      ) : (
        <p class="muted">
          {`${moves.join(', ')} during the run, as their heartbeats say. The reasons were not recorded: crema.record keeps them.`}
        </p>
      )}
    </Panel>
  );
}
