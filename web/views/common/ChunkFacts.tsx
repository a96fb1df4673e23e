import type { RunId } from '../../engine/engine';
import { bytes, count, duration } from '../../plot/format';
import { useAnswerOf } from '../../state/useAnswer';
import { PathText } from './PathText';

export interface ChunkFactsProps {
  run: RunId | undefined;
  /** its number */
  chunk: number;
}

const columns =
  'chunk,dataset,file,t_start,duration,events,bytes_read,seconds_per_event,outlier,early';

/** One chunk in a tooltip: whose it is, what it took, and how fast it went. */
export function ChunkFacts({ run, chunk }: ChunkFactsProps) {
  const range = [{ column: 'chunk', lo: chunk, hi: chunk }];
  const { table } = useAnswerOf(
    run === undefined ? [] : [run],
    'chunks',
    { ranges: range },
    { columns },
  );
  // while this one is awaited, no other's numbers stand under its name
  const known =
    table !== undefined && table.rows > 0 && table.number('chunk', 0) === chunk ? table : undefined;
  const number = (name: string) => known?.number(name, 0) ?? Number.NaN;
  const read = number('bytes_read');
  return (
    <div class={known ? '' : 'awaited'} data-testid="chunk-facts">
      <div>
        <b>{known ? (known.text('dataset', 0) ?? 'no dataset') : '\u2026'}</b> · chunk{' '}
        {count(chunk)}
        {number('outlier') === 1 ? ' · outlier: slow for its size' : ''}
        {number('early') === 1 ? ' · ended early' : ''}
      </div>
      <div>
        {duration(number('duration'))} in process() · {count(number('events'))} events ·{' '}
        {duration(number('seconds_per_event'))} each
      </div>
      <div class="muted">
        starts at {duration(number('t_start'))}
        {Number.isFinite(read) ? ` · ${bytes(read)} read` : ''}
      </div>
      <div class="muted mono">
        <PathText path={known?.text('file', 0) ?? '\u00a0'} />
      </div>
    </div>
  );
}
