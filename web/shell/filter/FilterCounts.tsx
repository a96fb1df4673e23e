import { Fragment } from 'preact';
import { useLeft } from '../../domain/chunks';
import { factOf } from '../../domain/facts';
import { coreTime, count, percent } from '../../plot/format';
import { isFiltered, selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';

/** How much of the run the filter leaves: chunks, events, core-time. */
export function FilterCounts() {
  const filtered = isFiltered.value;
  const whole = useAnswer('summary');
  const { chunks, events, seconds, ofChunks, pending } = useLeft(selection.value);
  const ofAll = (id: string) => (whole.table && factOf(whole.table, id)?.value) ?? Number.NaN;
  const allChunks = ofAll('num_chunks');
  const allSeconds = ofAll(ofChunks ? 'total_cpu_time' : 'core_seconds_available');
  const parts = [
    Number.isFinite(chunks) ? (
      <>
        <b data-testid="filter-chunks">{count(chunks)}</b>
        {filtered && Number.isFinite(allChunks) ? ` of ${count(allChunks)}` : ''} chunks
      </>
    ) : null,
    Number.isFinite(events) ? (
      <>
        <b>{count(Math.round(events))}</b> events
      </>
    ) : null,
    Number.isFinite(seconds) ? (
      <>
        <b>{coreTime(seconds)}</b>
        {ofChunks ? ' in process()' : ''}
        {filtered && allSeconds > 0 ? ` (${percent(seconds / allSeconds)})` : ''}
      </>
    ) : null,
  ].filter((part) => part !== null);
  return (
    <span
      class="filter-end cut"
      aria-live="polite"
      aria-busy={whole.pending || pending}
      data-testid="filter-counts"
    >
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at > 0 ? ' · ' : ''}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
