import '../../styles/runs.css';
import '../../styles/history.css';
import { useMemo, useState } from 'preact/hooks';
import { changesOf, runHistoryOf } from '../../domain/runHistory';
import { percent } from '../../plot/format';
import { chances, levelOptions, usualChance } from '../../state/chances';
import { openRuns } from '../../state/runs';
import { useAnswerOf } from '../../state/useAnswer';
import { Grid } from '../../ui/sight';
import { AbsentView } from '../common/Absent';
import { noteText } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { ChangesPanel } from './ChangesPanel';
import { HistoryRuns } from './HistoryRuns';
import { RunsOverTime } from './RunsOverTime';

const fewest = 3;

/** Since when is it slower, and which change did it? Recordings and digests in order of time. */
export function HistoryView() {
  const runs = openRuns.value.map((run) => run.id);
  const enough = runs.length >= fewest;
  const [sensitivity, setSensitivity] = useState(usualChance);
  const options = levelOptions(sensitivity);
  const asked = enough ? runs : [];
  const history = useAnswerOf(asked, 'history');
  const series = useAnswerOf(asked, 'history_series');
  const levels = useAnswerOf(asked, 'history_levels', {}, options);
  const runHistory = useMemo(
    () => (history.table && series.table ? runHistoryOf(history.table, series.table) : undefined),
    [history.table, series.table],
  );
  const changes = useMemo(
    () => (runHistory && levels.table ? changesOf(runHistory, levels.table) : undefined),
    [runHistory, levels.table],
  );
  const hasChanged = (changes?.events.length ?? 0) > 0;
  // the slider does not change it
  const table = useMemo(
    () => <HistoryRuns answer={history} runHistory={runHistory} />,
    [history.table, history.error, history.pending, runHistory],
  );
  if (!enough) {
    return (
      <div class="stack" data-testid="view-history">
        <AbsentView
          testId="history-invitation"
          title={`A history needs at least three runs: ${runs.length === 1 ? 'one is' : `${runs.length} are`} open`}
          reason="Drop recordings of the same work, or a folder of their digests (crema digest RUN… -o history/): numbers are followed over the runs; ten are enough to tell a change from noise."
        />
      </div>
    );
  }
  return (
    <div class="stack" data-testid="view-history">
      <div aria-live="polite">
        <ViewVerdict
          text={noteText(levels, 'verdict')}
          limits={noteText(levels, 'limits')}
          testId="history-verdict"
        />
      </div>
      <Grid even>
        <div class={hasChanged ? 'span-8' : 'span-12'}>
          <RunsOverTime
            answers={[history, series, levels]}
            runHistory={runHistory}
            changes={changes}
            actions={
              <label class="toolbar-field" title="False-alarm rate">
                Sensitivity
                <input
                  type="range"
                  min={0}
                  max={chances.length - 1}
                  value={sensitivity}
                  data-testid="history-sensitivity"
                  aria-valuetext={`false-alarm rate ${percent(options.p_value)}`}
                  onInput={(event) => setSensitivity(Number(event.currentTarget.value))}
                />
              </label>
            }
          />
        </div>
        {hasChanged ? (
          <div class="span-4">
            <ChangesPanel answer={levels} runHistory={runHistory} changes={changes} />
          </div>
        ) : null}
      </Grid>
      {table}
    </div>
  );
}
