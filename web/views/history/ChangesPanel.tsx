import { batch } from '@preact/signals';
import {
  type Changes,
  type HistoryEvent,
  type RunHistory,
  seriesText,
} from '../../domain/runHistory';
import { percent, signed } from '../../plot/format';
import { beginAnnotation } from '../../state/annotating';
import type { Answer } from '../../state/answers';
import { choosePlaces } from '../../state/pair';
import { openRuns } from '../../state/runs';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { Panel } from '../common/Panel';
import { runText } from './recorded';

/** More numbers that changed at once are a line. */
const mostNumbers = 4;

interface ChangesPanelProps {
  answer: Answer;
  runHistory: RunHistory | undefined;
  /** some were found */
  changes: Changes | undefined;
}

/** What changed, the newest first; each leads to a comparison of the runs before and after. */
export function ChangesPanel({ answer, runHistory, changes }: ChangesPanelProps) {
  return (
    <Panel
      title="Changes found"
      subtitle="newest first; in brackets 95 % intervals"
      answer={answer}
      name="changes"
      testId="history-changes"
    >
      {runHistory && changes
        ? changes.events.map((event) => (
            <Change key={event.number} runHistory={runHistory} event={event} />
          ))
        : null}
    </Panel>
  );
}

function Change({ runHistory, event }: { runHistory: RunHistory; event: HistoryEvent }) {
  const { runs } = runHistory;
  const shown = event.changes.slice(0, mostNumbers);
  return (
    <section class="history-found" data-testid="history-found">
      {shown.map(({ series, level, before }) => (
        <p key={series.id}>
          <b class={level.is_worse === 1 ? 'worse' : 'better'}>
            {series.label} {signed(percent(level.change), level.change)}
          </b>{' '}
          <span class="muted">
            [{signed(percent(level.change_low), level.change_low)},{' '}
            {signed(percent(level.change_high), level.change_high)}],{' '}
            {seriesText(series, before.level)} → {seriesText(series, level.level)}
          </span>
        </p>
      ))}
      {event.changes.length > mostNumbers ? (
        <p class="muted">and {event.changes.length - mostNumbers} more numbers</p>
      ) : null}
      <p>
        first run after: {runText(runs, event.at)}
        {event.last > event.first
          ? `; possibly any from ${runText(runs, event.first)} to ${runText(runs, event.last)}`
          : ''}
      </p>
      {event.labels ? <p>since then: {event.labels}</p> : null}
      {event.findings ? <p>found since then: {event.findings}</p> : null}
      <p class="row">
        <CompareButton runHistory={runHistory} event={event} />
        <Button
          title="A note on this change, in the link and in the report"
          data-testid="history-note"
          onClick={() => beginAnnotation(`${runText(runs, event.at)}: `)}
        >
          Note…
        </Button>
      </p>
    </section>
  );
}

/** Runs of the levels on either side as replicates; digests hold too little for it. */
function CompareButton({ runHistory, event }: { runHistory: RunHistory; event: HistoryEvent }) {
  const own = event.changes[0];
  if (!own) return null;
  const placesIn = (begin: number, end: number) =>
    runHistory.runs
      .slice(begin, end)
      .filter(({ left_out, digest }) => left_out === '' && digest !== 1)
      .map(({ run }) => openRuns.value.findIndex(({ id }) => id === run))
      .filter((place) => place >= 0);
  const before = placesIn(own.before.begin, own.before.end);
  const after = placesIn(own.level.begin, own.level.end);
  const canCompare = before.length > 0 && after.length > 0;
  return (
    <Button
      disabled={!canCompare}
      title={
        canCompare
          ? undefined
          : 'Open the recordings of runs before and after: digests do not hold their chunks'
      }
      data-testid="history-compare"
      onClick={() =>
        batch(() => {
          choosePlaces([before, after]);
          view.value = 'compare';
        })
      }
    >
      Compare before and after
    </Button>
  );
}
