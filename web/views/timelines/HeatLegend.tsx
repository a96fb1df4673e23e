import { significant } from '../../plot/format';
import { setter } from '../../state/setter';
import { type RowOrder, rowOrder, rowOrders } from '../../state/timelines';
import { Select } from '../common/Select';
import { heatTop } from './HeatPlot';
import type { Spread } from './workerPlot';
import type { WorkerQuantity } from './workerQuantities';

const orderNames: Readonly<Record<RowOrder, string>> = {
  mean: 'mean',
  first_seen: 'first seen',
  peak: 'peak',
  name: 'name',
  host: 'host',
};

/** What the colours of a heat map stand for, and what its rows are sorted by. */
export function HeatLegend({ quantity, spread }: { quantity: WorkerQuantity; spread: Spread }) {
  return (
    <div class="heat-legend">
      <div class="heat-scale" />
      <div class="gutter-line muted">
        <span>0</span>
        <span>
          {significant(heatTop(spread.max.values, quantity.robust ?? false))}&#8201;
          {spread.scale.unit}
        </span>
      </div>
      <Select
        named
        label="sorted by"
        options={rowOrders.map((id) => ({ id, title: orderNames[id] }))}
        value={rowOrder.value}
        onChange={setter(rowOrder)}
        testId={`sort-${quantity.id}`}
      />
    </div>
  );
}
