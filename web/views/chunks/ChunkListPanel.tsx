import { signal } from '@preact/signals';
import { useCallback, useMemo } from 'preact/hooks';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { ownKeys } from '../../ui/keys';
import { noteText, Panel } from '../common/Panel';
import { ChunkTable } from './ChunkTable';
import { rowsMatching } from './textMatch';

/** Kept while one looks at another view. */
const searched = signal('');

/** Every chunk that is selected, or those of them whose names match. */
export function ChunkListPanel() {
  const run = activeRunId.value;
  const chunks = useAnswer(run, 'chunks', selection.value);
  const whole = useAnswer(run, 'datasets');
  const { table } = chunks;
  const text = searched.value;
  const matching = useMemo(() => table && rowsMatching(table, text), [table, text]);
  const keep = useCallback((row: number) => matching?.[row] === 1, [matching]);
  const matches = matching?.reduce((sum, is) => sum + is, 0);
  const total = table?.notes.chunks_total;
  const amount = table
    ? `${count(table.rows)}${isFiltered.value && typeof total === 'number' ? ` of ${count(total)}` : ''}`
    : '';
  return (
    <Panel
      title="Chunks"
      className="span-12"
      testId="chunk-list"
      subtitle={
        noteText(chunks, 'selection') ||
        (matches !== undefined
          ? `${count(matches)} of ${amount} match`
          : amount && `${amount}, longest first`)
      }
      answer={chunks}
      actions={
        <input
          type="search"
          class="table-search"
          aria-label="Search dataset, file or host"
          placeholder="Dataset, file or host"
          data-testid="chunk-search"
          value={text}
          onInput={(event) => {
            searched.value = event.currentTarget.value;
          }}
          onKeyDown={ownKeys({
            Escape: () => {
              searched.value = '';
            },
          })}
        />
      }
    >
      {table ? <ChunkTable table={table} whole={whole.table} keep={matching && keep} /> : null}
      {matches === 0 ? (
        <p class="missing">No chunk’s dataset, file or host contains this text.</p>
      ) : null}
    </Panel>
  );
}
