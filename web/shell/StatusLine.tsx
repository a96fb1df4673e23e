import { countNotes } from '../domain/notes';
import { noteNumber } from '../engine/table';
import { bytes, duration, fixed } from '../plot/format';
import { activeRun } from '../state/runs';
import { put } from '../state/setter';
import { useAnswer } from '../state/useAnswer';
import { view } from '../state/view';
import { Button } from '../ui/Button';

/** The last row: how far the data can be trusted, and where it is. */
export function StatusLine() {
  const run = activeRun.value;
  const quality = useAnswer('quality');
  const timeline = useAnswer('timeline');
  if (!run) {
    return (
      <footer class="status">
        <span class="status-middle">
          <span>Works offline once it has loaded</span>
        </span>
        <span>No cookies, no telemetry</span>
      </footer>
    );
  }
  const notes = quality.table ? countNotes(quality.table, run.strayNotes) : undefined;
  const interval = noteNumber(timeline.table, 'interval');
  return (
    <footer class="status">
      <Button class="status-notes" data-testid="notes-count" onClick={put(view, 'recording')}>
        {notes === undefined ? 'reading notes' : <Grade notes={notes} />}
      </Button>
      <span class="status-middle">
        {run.schema ? <span>{run.schema}</span> : null}
        {interval > 0 ? <span>sampling {duration(interval)}</span> : <span>no tracking</span>}
        {Number.isFinite(run.time_zone_offset) ? (
          <span>scheduler clock {zoneText(run.time_zone_offset)}</span>
        ) : null}
        {run.bytes > 0 ? (
          <span data-testid="parse-time">
            {bytes(run.bytes)} read in {duration(run.readSeconds)}
          </span>
        ) : null}
      </span>
      <span>Files stay in this browser</span>
    </footer>
  );
}

/** How far the recording can be trusted, by its most serious notes. */
function Grade({ notes: { total, doubtful, high } }: { notes: ReturnType<typeof countNotes> }) {
  const grade = high > 0 ? 'poor' : doubtful > 0 ? 'partial' : 'good';
  const marks = { poor: 'bad-mark', partial: 'warn-mark', good: 'good-mark' };
  return (
    <>
      <span class={marks[grade]} aria-hidden="true">
        {grade === 'good' ? '✓' : '▲'}
      </span>{' '}
      Recording: {grade}
      {total > 0
        ? ` · ${total}${doubtful > 0 ? '' : ' minor'} ${total === 1 ? 'note' : 'notes'}`
        : ''}
    </>
  );
}

function zoneText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'UTC';
  const minutes = Math.abs(Math.round(offsetSeconds / 60));
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `UTC${offsetSeconds < 0 ? '\u2212' : '+'}${fixed(Math.floor(minutes / 60), 0)}${rest}`;
}
