import type { Table } from '../../engine/table';
import { bytes, count, duration, fixed, hertzPart, partsText } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { PathText } from '../common/PathText';

/** What is known of a chunk. */
export function ChunkTooltip({
  table,
  row,
  pinned = false,
}: {
  table: Table;
  row: number;
  pinned?: boolean;
}) {
  const number = (name: string) => table.number(name, row);
  const events = number('events');
  const seconds = number('duration');
  const read = number('bytes_read');
  const file = table.text('file', row);
  const chunk = number('chunk');
  // the core refuses where no sample knows its chunk
  const samples = useAnswer(
    pinned ? activeRunId.value : undefined,
    'flame',
    {},
    { chunk, min_fraction: 1 },
  ).table;
  return (
    <div class="chunk-tooltip" data-testid="chunk-tooltip">
      <b>{table.text('dataset', row) ?? 'no dataset'}</b> · chunk {fixed(chunk, 0)} · lane{' '}
      {fixed(number('lane') + 1, 0)} (inferred)
      <br />
      process() {fixed(number('t_start'), 2)} → {fixed(number('t_end'), 2)}&#8201;s ·{' '}
      <b>{duration(seconds)}</b>
      <br />
      {Number.isFinite(events) ? (
        <>
          {count(events)} events
          {seconds > 0 ? ` · ${partsText([hertzPart(events / seconds)])}` : ''}
          {events > 0 ? ` · ${duration(number('seconds_per_event'))}/event` : ''}
        </>
      ) : (
        'events not recorded'
      )}
      <br />
      {Number.isFinite(read) ? `${bytes(read)} read` : 'bytes not collected'} · host{' '}
      {table.text('host', row) ?? '–'}
      {file ? (
        <>
          <br />
          <PathText path={file} />
        </>
      ) : null}
      <br />
      {samples && samples.rows > 1 ? (
        <Button
          class="link"
          data-testid="chunk-flame"
          onClick={() => {
            setTree({ chunk: String(chunk), mode: 'own', selected: '' });
            view.value = 'flame';
          }}
        >
          Flame graph of this chunk&#8201;›
        </Button>
      ) : null}
      <span class="muted">
        {pinned ? 'Enter shows it in Data · Esc closes' : 'Click to pin · double click to zoom'}
      </span>
    </div>
  );
}
