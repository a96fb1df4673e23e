import { signal } from '@preact/signals';
import { fullSentence } from '../../domain/sentenceCase';
import { useAnswer } from '../../state/useAnswer';
import { AnswerTable, minor, numberColumns, perMebibyte, textColumn } from '../common/columns';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';

const sizes = [
  { id: '0.5', title: '½×' },
  { id: '1', title: 'as it was' },
  { id: '2', title: '2×' },
  { id: '4', title: '4×' },
] as const;

const size = signal<(typeof sizes)[number]['id']>('1');

/** How much memory chunks take, how many pass the limit, and what suffices; at another size, too. */
export function MemoryPanel() {
  const answer = useAnswer('memory', {}, { times: Number(size.value) });
  const { table } = answer;
  if (table?.rows === 0) return null;
  const hasSizes = table?.numbers('events_p50').some(Number.isFinite);
  return (
    <Panel
      title="Memory"
      subtitle="resident memory of a worker's process at the peak of a chunk, whole run"
      answer={answer}
      className="span-12"
      testId="memory"
      actions={
        hasSizes ? <Choice name="memory-size" label="Chunk size" options={sizes} of={size} /> : null
      }
    >
      {table && table.rows > 0 ? (
        <>
          <p class="advice" data-testid="memory-headline">
            {fullSentence(noteText(answer, 'headline'))}
          </p>
          <AnswerTable
            table={table}
            columns={[
              textColumn('name', 'Chunks of', (row) =>
                row === 0 ? 'all datasets' : (table.text('name', row) ?? ''),
              ),
              ...numberColumns(table, [
                ['chunks', 'chunks'],
                ['lost', 'lost', 1, minor],
                ['events_p50', 'events, median', 1, minor],
                ['memory', 'median (MiB)', perMebibyte],
                ['memory_low', '5 % below', perMebibyte, minor],
                ['memory_high', '5 % above', perMebibyte, minor],
                ['memory_largest', 'largest', perMebibyte],
                ['memory_per_event', 'kB per event', 1e-3, minor],
                ['above', '% above the limit', 100],
                ['above_high', 'at most (%)', 100, minor],
                ['memory_request', 'request (MiB)', perMebibyte],
                ['memory_no_pause', 'Dask, no pause (MiB)', perMebibyte, minor],
                ['events_within', 'events within the limit', 1, minor],
              ]),
            ]}
            label="Memory of chunks"
            sortedBy="memory_largest"
            descending
            maxHeight={260}
            testId="memory-table"
          />
        </>
      ) : null}
    </Panel>
  );
}
