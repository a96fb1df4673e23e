import { useAnswerOf } from '../../state/answers';
import { openRuns } from '../../state/runs';
import { AnswerTable, type NumberColumn, numberColumns, textColumn } from '../common/columns';
import { noteText, Panel } from '../common/Panel';

const factors: readonly NumberColumn<'efficiency'>[] = [
  ['cores', 'Cores, average'],
  ['useful', 'Useful (%)', 100],
  ['load_balance', '= load balance (%)', 100],
  ['start_and_end', '× start and end (%)', 100],
  ['scheduling', '× scheduling (%)', 100],
  ['outside', '× outside (%)', 100],
  ['lost', '× not repeated (%)', 100],
  ['on_cpu', '× on a CPU (%)', 100],
];

/** The useful share of each run's core-time as a product: which factor falls as cores grow. */
export function EfficiencyPanel() {
  const answer = useAnswerOf(
    openRuns.value.map((run) => run.id),
    'efficiency',
  );
  const { table } = answer;
  const name = textColumn('run', 'Run', (row) => table?.text('run', row) ?? '', {
    cell: (row) => {
      const differs = table?.text('differs', row);
      return (
        <span class={differs ? 'muted' : ''} title={differs}>
          {table?.text('run', row)}
        </span>
      );
    },
  });
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
      answer={answer}
      testId="efficiency"
    >
      {table && table.rows > 0 ? (
        <AnswerTable
          table={table}
          columns={[name, ...numberColumns(table, factors)]}
          label="Efficiency of each run"
          sortedBy="cores"
          maxHeight={420}
          testId="efficiency-table"
        />
      ) : null}
    </Panel>
  );
}
