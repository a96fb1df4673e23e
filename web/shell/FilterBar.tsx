import { coreTime, count, fixed, percent } from '../charts/format';
import { useAnswer } from '../state/answers';
import { activeRun, activeRunId } from '../state/runs';
import { clearSelection, isFiltered, selection, timeSelection } from '../state/selection';
import { factOf } from '../views/common/facts';

/** What is selected, and how much of the run that is. One filter state for all views. */
export function FilterBar() {
  const run = activeRun.value;
  const range = timeSelection.value;
  const whole = useAnswer(activeRunId.value, 'summary');
  const part = useAnswer(activeRunId.value, 'summary', selection.value);
  const number = (answer: typeof whole, id: string) =>
    (answer.table ? factOf(answer.table, id)?.value : undefined) ?? Number.NaN;
  const chunksOf = (answer: typeof whole) => number(answer, 'num_chunks');
  const cores = number(whole, 'core_seconds_available');
  const shown = isFiltered.value ? part : whole;
  const pieces: preact.ComponentChild[] = [];
  if (Number.isFinite(chunksOf(shown))) {
    pieces.push(
      <>
        <b data-testid="filter-chunks">{count(chunksOf(shown))}</b>
        {isFiltered.value && Number.isFinite(chunksOf(whole)) ? ` of ${count(chunksOf(whole))}` : ''} chunks
      </>,
    );
  }
  const events = number(shown, 'total_events');
  if (Number.isFinite(events)) {
    pieces.push(
      <>
        <b>{count(Math.round(events))}</b> events
      </>,
    );
  }
  const shownCores = number(shown, 'core_seconds_available');
  if (Number.isFinite(shownCores)) {
    pieces.push(
      <>
        <b>{coreTime(shownCores)}</b>
        {isFiltered.value && cores > 0 ? ` (${percent(shownCores / cores)})` : ''}
      </>,
    );
  }
  if (!isFiltered.value && pieces.length > 0) pieces.push('no filter');
  const elapsed = run?.elapsed ?? Number.NaN;
  return (
    <section class="filter-bar" aria-label="Filter" data-testid="filter-bar">
      <span>Filter</span>
      {range ? (
        <span class="chip chip-on" data-testid="chip-time">
          Time{' '}
          <b>
            {fixed(range[0], 1)}–{fixed(range[1], 1)}&#8201;s
          </b>
          <button
            type="button"
            class="chip-close"
            aria-label="Clear the time filter"
            title="Clear (Esc)"
            onClick={clearSelection}
          >
            ✕
          </button>
        </span>
      ) : (
        <span class="chip" title="Drag on a track in Timelines to select a time range">
          Time <b>{Number.isFinite(elapsed) ? `0–${fixed(elapsed, 1)}\u2009s` : 'all'}</b>
        </span>
      )}
      <span class="filter-end" aria-live="polite">
        {pieces.map((piece, index) => (
          <span key={index === 0 ? 'first' : `piece-${index}`}>
            {index > 0 ? ' · ' : ''}
            {piece}
          </span>
        ))}
      </span>
    </section>
  );
}
