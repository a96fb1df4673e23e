import { binsOf, marksOf } from '../../domain/bins';
import { quantityOf, quantityTitle } from '../../domain/columns';
import { count } from '../../plot/format';
import { Histogram } from '../../plot/Histogram';
import { useAnswer } from '../../state/answers';
import { selectRanges } from '../../state/ranges';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { useDatasets } from '../common/ChunkScatter';
import { Marks } from '../common/Marks';
import { noteText, Panel } from '../common/Panel';

const column = 'bytes_per_second';
const rate = quantityOf(column);

/** How fast the chunks read. */
export function RatePanel() {
  const run = activeRunId.value;
  const answer = useAnswer(run, 'distribution', selection.value, { column, by: 'dataset' });
  const { colourOf } = useDatasets(run);
  const { table } = answer;
  return (
    <Panel
      title="Read rate of chunks"
      subtitle={noteText(answer, 'selection') || 'bytes read / time in process()'}
      answers={[answer]}
      twin={table}
      name="read-rate"
      testId="read-rates"
    >
      {table && table.rows > 0 ? (
        <>
          <div class="chart-tools">
            <Marks table={table} quantity={rate} />
          </div>
          <Histogram
            {...binsOf(table, colourOf)}
            marks={marksOf(table)}
            xTitle={quantityTitle(rate)}
            yTitle="chunks"
            factor={rate.factor}
            height={150}
            text={rate.text}
            onRange={(lo, hi) => selectRanges([column], [{ column, lo, hi }])}
            label={`Read rate of ${count(Number(table.notes.count ?? 0))} chunks`}
            testId="read-rates-chart"
          />
        </>
      ) : (
        <p class="missing">{table ? 'not collected: the chunks carry no bytes' : '\u00a0'}</p>
      )}
    </Panel>
  );
}
