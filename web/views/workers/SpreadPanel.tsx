import { workerLabel } from '../../domain/coreTime';
import { percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { DataTable } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { noteText, Panel } from '../common/Panel';

/** What the profiles of the workers have that others do not. */
export function SpreadPanel() {
  const answer = useAnswer(activeRunId.value, 'worker_frames', selection.value, { most: 40 });
  const maxHeight = useTableHeight(260);
  const { table } = answer;
  return (
    <Panel
      title="Functions whose share differs between workers"
      subtitle="of each worker’s samples"
      answers={[answer]}
      data={table}
      testId="worker-frames"
    >
      {table && table.rows > 0 ? (
        <DataTable
          label="Functions whose share differs between workers"
          rows={table.rows}
          sortedBy="range"
          descending
          maxHeight={maxHeight}
          columns={[
            {
              id: 'name',
              title: 'Function',
              align: 'left',
              order: (row) => table.text('name', row) ?? '',
              cell: (row) => (
                <span title={table.text('file', row) ?? ''}>{table.text('name', row)}</span>
              ),
            },
            ...(['min', 'mean', 'max', 'range'] as const).map((column) => ({
              id: column,
              title: titles[column],
              align: 'right' as const,
              order: (row: number) => table.number(column, row),
              cell: (row: number) => percent(table.number(column, row)),
              explain: () => table.column(column).formula,
            })),
            {
              id: 'highest',
              title: 'most in',
              align: 'left',
              cell: (row) => workerLabel(table.text('highest', row) ?? ''),
            },
          ]}
        />
      ) : (
        <p class="missing">
          {table
            ? noteText(answer, 'missing') || 'Fewer than two workers have a profile.'
            : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

const titles = { min: 'least', mean: 'mean', max: 'most', range: 'difference' };
