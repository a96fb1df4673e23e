import { Fragment } from 'preact';
import { factOf } from '../../domain/facts';
import { coreTime, count, percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';

/** How much of the run the filter leaves: chunks, events, core-time. */
export function FilterCounts() {
  const ofAll = useAnswer(activeRunId.value, 'summary');
  const ofFiltered = useAnswer(activeRunId.value, 'summary', selection.value);
  const [whole, narrowed] = [ofAll.table, ofFiltered.table];
  const filtered = isFiltered.value;
  const of = (table: typeof whole, id: string) =>
    (table ? factOf(table, id)?.value : undefined) ?? Number.NaN;
  const shown = (id: string) => of(filtered ? narrowed : whole, id);
  const { datasets, files, hosts, ranges } = selection.value;
  // What a dataset or file took is known inside process() only; what was available has no such
  // owner.
  const ofChunks = Boolean(datasets || files || hosts || ranges);
  const timeId = ofChunks ? 'total_cpu_time' : 'core_seconds_available';
  const chunks = shown('num_chunks');
  const allChunks = of(whole, 'num_chunks');
  const events = shown('total_events');
  const seconds = ofChunks && chunks === 0 ? 0 : shown(timeId);
  const allSeconds = of(whole, timeId);
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
    filtered ? null : 'no filter',
  ].filter((part) => part !== null);
  return (
    <span
      class="filter-end cut"
      aria-live="polite"
      aria-busy={ofAll.pending || ofFiltered.pending}
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
