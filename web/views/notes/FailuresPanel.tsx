import { fullSentence } from '../../domain/sentenceCase';
import { type Row, rowsOf } from '../../engine/table';
import { coreTime, count, duration } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { PathText } from '../common/PathText';

/** What failed, where and why, how often, and whether another attempt succeeded. */
export function FailuresPanel() {
  const answer = useAnswer(activeRunId.value, 'failures', selection.value);
  const failures = rowsOf(answer.table);
  const missing = noteText(answer, 'missing');
  return (
    <Panel
      title="Failures"
      subtitle={failures.length > 0 ? 'each way in which tasks failed' : ''}
      answer={answer}
      testId="failures"
    >
      {failures.length === 0 ? (
        <p class="muted">
          {missing ? fullSentence(missing) : answer.table ? 'No task failed.' : '\u00a0'}
        </p>
      ) : null}
      <ul class="notes-list failures">
        {failures.map((failure) => (
          <FailureRow
            key={`${failure.task} ${failure.exception} ${failure.frame}`}
            failure={failure}
          />
        ))}
      </ul>
    </Panel>
  );
}

function FailureRow({ failure }: { failure: Row<'failures'> }) {
  const { task, exception, message, frame, file, dataset, attempts, core_seconds: cost } = failure;
  const { entry_start: begin, entry_stop: end, first, last } = failure;
  return (
    <li>
      <span>
        <b>{exception || (failure.lost > 0 ? 'The worker ended' : 'Unknown exception')}</b>
        {message ? `: ${message}` : ''}
      </span>
      <span class="count">{fateText(failure)}</span>
      <span class="where">
        {task}
        {first < last ? `, ${duration(first)} to ${duration(last)}` : `, at ${duration(first)}`}
        {Number.isFinite(cost)
          ? ` · ${coreTime(cost)} in ${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`
          : ''}
      </span>
      {file ? (
        <span class="where">
          {attempts > 1 ? 'first in ' : ''}
          <PathText path={file} />
          {Number.isFinite(begin) ? `, events ${count(begin)}–${count(end)}` : ''}
          {dataset ? ` of ${dataset}` : ''}
        </span>
      ) : null}
      {frame ? <span class="where mono">{frame}</span> : null}
    </li>
  );
}

/** What became of the work whose attempts failed so. */
function fateText({ items, recovered, skipped, attempts }: Row<'failures'>): string {
  if (skipped > 0) return `${count(skipped)} left out`;
  if (!Number.isFinite(items)) return `${count(attempts)}×`;
  return recovered === items
    ? `${count(items)} repeated, all succeeded`
    : `${count(recovered)} of ${count(items)} succeeded later`;
}
