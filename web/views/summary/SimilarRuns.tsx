import { runHistoryOf } from '../../domain/runHistory';
import { BarRows } from '../../plot/BarRows';
import { count, duration, listed } from '../../plot/format';
import { activeRunId, openRuns } from '../../state/runs';
import { useAnswerOf } from '../../state/useAnswer';
import { Panel } from '../common/Panel';

/** More bars than these are read in Runs. */
const mostBars = 8;
/** Whoever opens more follows them in Runs: each number of all would be asked for eight bars. */
const mostRuns = 64;

/** How long the open runs of the same work took: whether this one is unlike them. */
export function SimilarRuns() {
  const open = openRuns.value.map(({ id }) => id);
  const asked = open.length > 1 && open.length <= mostRuns ? open : [];
  const history = useAnswerOf(asked, 'history');
  const series = useAnswerOf(asked, 'history_series');
  if (!history.table || !series.table) return null;
  const { runs, series: all } = runHistoryOf(history.table, series.table);
  const elapsed = all.find(({ id }) => id === 'elapsed_time_seconds');
  const alike = runs
    .map(({ run, title, left_out: other }, row) => ({
      id: open[run],
      title,
      seconds: other ? Number.NaN : (elapsed?.values[row] ?? Number.NaN),
    }))
    .filter(({ seconds }) => Number.isFinite(seconds));
  const now = alike.find(({ id }) => id === activeRunId.value);
  if (!now || alike.length < 2) return null;
  const others = alike.filter((one) => one !== now).slice(1 - mostBars);
  const rows = [now, ...others].sort((a, b) => a.seconds - b.seconds);
  return (
    <Panel
      title="Similar runs"
      subtitle={listed([
        `elapsed time of ${rows.length < alike.length ? `${count(rows.length)} of ` : ''}${count(alike.length)} open runs`,
        elapsed?.basis,
      ])}
      answers={[history, series]}
      testId="similar-runs"
    >
      <BarRows
        label="Elapsed time of similar runs"
        rows={rows.map(({ id, title, seconds }) => ({
          id: String(id),
          label: title,
          value: seconds,
          colour: id === now.id ? '--accent' : '--line-2',
          texts: [duration(seconds)],
        }))}
      />
    </Panel>
  );
}
