import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Changes, hasChanged, type RunHistory, type Series } from '../../domain/runHistory';
import type { Answer } from '../../state/answers';
import { Button } from '../../ui/Button';
import { Panel } from '../common/Panel';
import { SeriesPlot } from './SeriesPlot';

/** As many as are seen without scrolling; the rest comes when asked for. */
const fewSeries = 4;

interface RunsOverTimeProps {
  answers: readonly Answer[];
  runHistory: RunHistory | undefined;
  changes: Changes | undefined;
  actions: ComponentChildren;
}

/** Small multiples: a number each, with its levels and what changed. */
export function RunsOverTime({ answers, runHistory, changes, actions }: RunsOverTimeProps) {
  const [all, setAll] = useState(false);
  const levelsOf = ({ id }: Series) => changes?.levels.get(id) ?? [];
  const isChanged = (one: Series) => levelsOf(one).some(hasChanged);
  const series = runHistory?.series ?? [];
  // what the verdict names comes first: what changed, then headline numbers with an outlier
  const isOut = ({ id, outliers }: Series) => outliers.size > 0 && !id.includes(':');
  const isElapsed = ({ id }: Series) => id === 'elapsed_time_seconds';
  const rank = (one: Series) => (isChanged(one) ? 0 : isElapsed(one) ? 1 : isOut(one) ? 2 : 3);
  const inOrder = [...series].sort((a, b) => rank(a) - rank(b));
  const shown = all ? inOrder : inOrder.slice(0, fewSeries);
  return (
    <Panel
      title="Runs over time"
      subtitle={
        <span title="dot: a run; line and band: its level, 95 % interval; axes do not begin at 0">
          ◆: an outlier; ring: first run after a change
        </span>
      }
      answers={answers}
      data={answers[1]?.table}
      name="history"
      testId="history-series"
      actions={actions}
    >
      {runHistory
        ? shown.map((one, i) => (
            <SeriesPlot
              key={one.id}
              runHistory={runHistory}
              series={one}
              levels={levelsOf(one)}
              events={changes?.events ?? []}
              withAxis={i === shown.length - 1}
            />
          ))
        : null}
      {series.length > fewSeries ? (
        <Button class="link" data-testid="history-all" onClick={() => setAll(!all)}>
          {all ? 'The most important only' : `All ${series.length} numbers`}
        </Button>
      ) : null}
    </Panel>
  );
}
