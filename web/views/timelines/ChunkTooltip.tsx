import type { Table } from '../../engine/table';
import { fixed } from '../../plot/format';
import { setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { useAnswer } from '../../state/useAnswer';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { ChunkFacts } from '../common/ChunkFacts';

/** A chunk on its lane; pinned, with the way to its samples. */
export function ChunkTooltip({
  table,
  row,
  pinned = false,
}: {
  table: Table;
  row: number;
  pinned?: boolean;
}) {
  const run = activeRunId.value;
  const chunk = table.number('chunk', row);
  // the core refuses where no sample knows its chunk
  const samples = useAnswer(pinned ? 'flame' : '', {}, { chunk, min_fraction: 1 }).table;
  return (
    <div class="chunk-tooltip" data-testid="chunk-tooltip">
      <ChunkFacts run={run} chunk={chunk} />
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
      <div class="muted">
        lane {fixed(table.number('lane', row) + 1, 0)}, inferred ·{' '}
        {pinned ? 'Enter shows it in Data · Esc closes' : 'click to pin, double click to zoom'}
      </div>
    </div>
  );
}
