import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { count, percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRun } from '../../state/runs';
import { Panel } from '../common/Panel';

/** Of a run that is being recorded: how far each dataset is. */
export function ProgressPanel() {
  const run = activeRun.value;
  const answer = useAnswer(run?.id, run?.running === 1 ? 'progress' : '');
  const rows = rowsOf(answer.table).filter((row) => row.kind === 'dataset');
  if (run?.running !== 1 || rows.length === 0) return null;
  const hasPlan = rows.some((row) => row.planned > 0);
  return (
    <Panel title="Progress" answers={[answer]} data={answer.table} testId="progress">
      <BarRows
        label="Chunks done of each dataset"
        heads={['chunks done', 'events', 'failures']}
        rows={rows.map((row) => ({
          id: row.dataset ?? '',
          label: row.dataset || 'no dataset',
          scale: row.dataset ?? '',
          value: hasPlan ? row.planned : row.done,
          colour: 'var(--grid)',
          within: [{ value: row.done, colour: 'var(--accent)' }],
          texts: [
            row.planned > 0
              ? `${count(row.done)} of ${count(row.planned)} (${percent(row.share)})`
              : count(row.done),
            count(row.events),
            row.failed > 0 ? count(row.failed) : '–',
          ],
        }))}
      />
    </Panel>
  );
}
