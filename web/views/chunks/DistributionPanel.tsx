import { signal } from '@preact/signals';
import { binsOf, marksOf } from '../../domain/bins';
import { useAllChunks } from '../../domain/chunks';
import { quantityOf, quantityTitle } from '../../domain/columns';
import { useDatasets } from '../../domain/datasetColours';
import { axisColumns } from '../../domain/points';
import type { Table } from '../../engine/table';
import { count, listed } from '../../plot/format';
import { Histogram } from '../../plot/Histogram';
import { hoveredChunk } from '../../state/hoveredChunk';
import { selectRanges } from '../../state/ranges';
import { selection } from '../../state/selection';
import { setter } from '../../state/setter';
import { useAnswer } from '../../state/useAnswer';
import { Marks } from '../common/Marks';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { QuantitySelect } from './QuantitySelect';

const height = 300;

/** What is distributed; kept while one looks at another view. */
export const distributed = signal('duration');
const scale = signal<'linear' | 'log'>('linear');

/** How a quantity of the chunks is distributed, by dataset. */
export function DistributionPanel() {
  const column = distributed.value;
  const bins = useAnswer('distribution', selection.value, {
    column,
    by: 'dataset',
    scale: scale.value,
  });
  const columns = axisColumns(useAnswer('chunk_columns').table);
  const chunks = useAllChunks().table;
  const { colourOf } = useDatasets();
  const quantity = quantityOf(column);
  const row = hoveredChunk.value;
  const total = bins.table?.notes.count;
  const number = typeof total === 'number' ? total : 0;
  const subtitle = [
    number > 0 ? `${count(number)} chunks` : '',
    skipped(bins.table),
    noteText(bins, 'selection'),
  ];
  return (
    <Panel
      title={
        column === 'duration'
          ? 'Chunk run time'
          : `${quantity.label.charAt(0).toUpperCase()}${quantity.label.slice(1)}`
      }
      subtitle={listed(subtitle)}
      answer={bins}
      testId="distribution-panel"
      actions={
        <Choice
          name="distribution-scale"
          label="Scale"
          options={[
            { id: 'linear', title: 'linear' },
            { id: 'log', title: 'log' },
          ]}
          of={scale}
        />
      }
    >
      <div class="chart-tools row">
        <QuantitySelect
          label="Quantity"
          columns={columns}
          value={column}
          onChange={setter(distributed)}
          testId="distribution-column"
        />
        <Marks table={bins.table} quantity={quantity} />
      </div>
      {bins.table && bins.table.rows > 0 ? (
        <Histogram
          {...binsOf(bins.table, colourOf)}
          count={number}
          marks={marksOf(bins.table)}
          xTitle={quantityTitle(quantity)}
          yTitle="chunks"
          factor={quantity.factor}
          log={scale.value === 'log'}
          height={height}
          text={quantity.text}
          hovered={
            row !== undefined && chunks?.has(column) ? chunks.number(column, row) : undefined
          }
          onRange={(lo, hi) => selectRanges([column], [{ column, lo, hi }])}
          label={`${quantity.label} of ${number} chunks`}
          testId="distribution"
        />
      ) : (
        <p class="missing" style={{ height: `${height}px` }}>
          {noteText(bins, 'missing')}
        </p>
      )}
    </Panel>
  );
}

function skipped(table: Table | undefined): string {
  const left = table?.notes.not_positive;
  return typeof left === 'number' && left > 0
    ? `${count(left)} at or below 0 cannot be shown on a logarithmic axis`
    : '';
}
