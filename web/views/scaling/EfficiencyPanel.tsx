import { useAnswerOf } from '../../state/answers';
import { openRuns } from '../../state/runs';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { type NumberColumnSpec, numberColumns } from '../common/numberColumn';
import { noteText, Panel } from '../common/Panel';

const factors: readonly NumberColumnSpec<'efficiency'>[] = [
  { id: 'cores', title: 'Cores, average', column: 'cores' },
  { id: 'useful', title: 'Useful (%)', column: 'useful', factor: 100 },
  { id: 'balance', title: '= load balance (%)', column: 'load_balance', factor: 100 },
  { id: 'start', title: '× start and end (%)', column: 'start_and_end', factor: 100 },
  { id: 'scheduling', title: '× scheduling (%)', column: 'scheduling', factor: 100 },
  { id: 'outside', title: '× outside (%)', column: 'outside', factor: 100 },
  { id: 'lost', title: '× not repeated (%)', column: 'lost', factor: 100 },
  { id: 'on-cpu', title: '× on a CPU (%)', column: 'on_cpu', factor: 100 },
];

/** The useful share of each run's core-time as a product: which factor falls as cores grow. */
export function EfficiencyPanel() {
  const answer = useAnswerOf(
    openRuns.value.map((run) => run.id),
    'efficiency',
  );
  const { table } = answer;
  const name: TableColumn = {
    id: 'run',
    title: 'Run',
    align: 'left',
    order: (row) => table?.text('run', row) ?? '',
    cell: (row) => {
      const differs = table?.text('differs', row);
      return (
        <span class={differs ? 'muted' : ''} title={differs}>
          {table?.text('run', row)}
        </span>
      );
    },
  };
  return (
    <Panel
      title="Efficiency as a product of factors"
      subtitle={[
        noteText(answer, 'sentence') ||
          'core-time on a CPU in process(), as a share of the available',
        noteText(answer, 'selection'),
      ]
        .filter(Boolean)
        .join(' · ')}
      answers={[answer]}
      data={table}
      testId="efficiency"
    >
      {table && table.rows > 0 ? (
        <DataTable
          columns={[name, ...numberColumns(table, factors)]}
          rows={table.rows}
          label="Efficiency of each run"
          sortedBy="cores"
          maxHeight={420}
          testId="efficiency-table"
        />
      ) : null}
    </Panel>
  );
}
