import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { quantityOf } from '../../domain/columns';
import { columnList, pointsOf } from '../../domain/points';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { withoutRanges } from '../../state/ranges';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { ChunkScatter, chunkAxis, DatasetLegend, useDatasets } from '../common/ChunkScatter';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';

const orders = [
  { id: 't_start', title: 'time' },
  { id: 'rank', title: 'rank' },
  { id: 'events', title: 'events' },
] as const;
type Order = (typeof orders)[number]['id'];

const amounts = [
  { id: 'bytes_read', title: 'bytes' },
  { id: 'branches_accessed', title: 'branches' },
] as const;
type Amount = (typeof amounts)[number]['id'];

const order = signal<Order>('t_start');
const amount = signal<Amount>('bytes_read');

/** What each chunk read, in an order that means something. */
export function ChunkBytesPanel() {
  const run = activeRunId.value;
  const x = order.value;
  const y = amount.value;
  const columns = x === 'rank' ? [y] : [x, y];
  const answer = useAnswer(run, 'chunks', withoutRanges(selection.value, columns), {
    columns: columnList(['chunk', 'dataset', 'outlier', 'early', ...columns]),
    ...(x === 'rank' ? { rank: y } : {}),
  });
  const { datasets, colourOf } = useDatasets(run);
  const { table } = answer;
  const known = table?.has(y) && table.numbers(y).some(Number.isFinite);
  const points = useMemo(() => {
    return table && known && table.has(x) ? pointsOf(table, x, y, colourOf) : undefined;
  }, [table, known, x, y, colourOf]);
  return (
    <Panel
      title={y === 'bytes_read' ? 'Bytes read per chunk' : 'Branches read per chunk'}
      subtitle={
        noteText(answer, 'selection') ||
        (y === 'bytes_read' ? 'inside process()' : 'as @track_metrics lists them')
      }
      answer={answer}
      name="chunk-bytes"
      className="span-6"
      testId="chunk-bytes"
      actions={
        <>
          <Choice name="access-amount" label="Quantity" options={amounts} of={amount} />
          <Choice name="access-order" label="Order" options={orders} of={order} />
        </>
      }
    >
      {points && table ? (
        <>
          <ChunkScatter
            table={table}
            points={points}
            x={x === 'rank' ? undefined : x}
            y={y}
            xAxis={
              x === 'rank' ? { title: 'rank, smallest first', factor: 1, log: false } : chunkAxis(x)
            }
            yAxis={chunkAxis(y)}
            height={230}
            label={`${quantityOf(y).label} of ${count(table.rows)} chunks by ${x === 't_start' ? 'start' : x}`}
            testId="chunk-bytes-chart"
          />
          {datasets ? <DatasetLegend datasets={datasets} colourOf={colourOf} /> : null}
        </>
      ) : (
        <p class="missing">
          {table
            ? y === 'bytes_read'
              ? 'not collected: bytes_read is 0 in every chunk (roastcoffea 0.1.0, or files mapped into memory)'
              : 'not recorded: @track_metrics of roastcoffea 0.1.2 lists the branches of each chunk'
            : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}
