import { bytes, count, duration } from '../../charts/format';
import type { Table } from '../../engine/table';
import { PathText } from '../common/PathText';

export interface ChunkFactsProps {
  /** an answer to `chunks` */
  table: Table;
  row: number;
}

/** One chunk in a tooltip: whose it is, what it took, and how fast it went. */
export function ChunkFacts({ table, row }: ChunkFactsProps) {
  const number = (name: string) => table.number(name, row);
  const read = number('bytes_read');
  return (
    <>
      <div>
        <b>{table.text('dataset', row) ?? 'no dataset'}</b> · chunk {count(number('chunk'))}
        {number('outlier') === 1 ? ' · slow for its size' : ''}
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
        <PathText path={table.text('file', row) ?? ''} />
      </div>
    </>
  );
}
