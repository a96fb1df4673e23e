import { useMemo, useState } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import { pointsOf } from '../../domain/points';
import type { Table } from '../../engine/table';
import { count, duration, significant } from '../../plot/format';
import { ScatterPlot } from '../../plot/ScatterPlot';
import type { Pair } from '../../state/pair';
import { selection } from '../../state/selection';
import { useAnswerOf } from '../../state/useAnswer';
import { DatasetLegend } from '../common/ChunkScatter';
import { noteText, Panel } from '../common/Panel';

type Pairs = Table<'compare_pairs'>;

/** Seconds of the same events in A and in B: what all chunks have in common, and which do not. */
export function PairsPanel({ pair }: { pair: Pair }) {
  const answer = useAnswerOf([pair.a.id, pair.b.id], 'compare_pairs', selection.value);
  const { datasets, colourOf } = useDatasets(pair.b.id);
  const { table } = answer;
  const points = useMemo(
    () => (table && table.rows > 0 ? pointsOf(table, 'a', 'b', colourOf) : undefined),
    [table, colourOf],
  );
  const [marked, setMarked] = useState<number>();
  return (
    <Panel
      title="The same events in both runs"
      subtitle={
        points && table
          ? `${count(Number(table.notes.paired))} of ${count(Number(table.notes.chunks))} chunks of A paired`
          : ''
      }
      answer={answer}
      name="pairs"
      testId="pairs"
    >
      {points && table ? (
        <>
          <ScatterPlot
            points={points}
            xAxis={{ title: 'A (s)', factor: 1, log: false }}
            yAxis={{ title: 'B (s)', factor: 1, log: false }}
            height={230}
            lines={[medianOf(Number(table.notes.ratio))]}
            guides={[equal]}
            marked={marked}
            onMark={setMarked}
            tooltip={(row) => <PairFacts table={table} row={row} />}
            selected={undefined}
            onSelect={() => undefined}
            label={`Run time in A and in B of ${count(table.rows)} ranges of events`}
            testId="pairs-chart"
          />
          {datasets ? (
            <DatasetLegend datasets={datasets} colourOf={colourOf} points={points} />
          ) : null}
        </>
      ) : (
        <p class="missing">{noteText(answer, 'missing') || '\u00a0'}</p>
      )}
    </Panel>
  );
}

const equal = { label: 'equal', detail: '', colour: '', fixed: 0, slope: 1 };

const medianOf = (median: number) => ({
  label: 'median',
  detail: `× ${significant(median)}`,
  colour: '--div-more',
  fixed: 0,
  slope: median,
});

function PairFacts({ table, row }: { table: Pairs; row: number }) {
  const number = (column: Parameters<Pairs['number']>[0]) => table.number(column, row);
  const chunks = number('chunks_b');
  return (
    <>
      <b>{table.text('file', row)}</b>
      <p>
        events {count(number('entry_start'))} to {count(number('entry_stop'))}
      </p>
      <p>
        {duration(number('a'))} → {duration(number('b'))}
        {chunks > 1 ? ` in ${count(chunks)} chunks` : ''}, ×{' '}
        {significant(number('b') / number('a'))}
      </p>
    </>
  );
}
