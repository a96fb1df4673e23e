import { significant } from '../../plot/format';
import { type RowOrder, rowOrder, rowOrders } from '../../state/timelines';
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
      <label class="heat-sort">
        sorted by{' '}
        <select
          data-testid={`sort-${quantity.id}`}
          onChange={(event) => {
            const chosen = rowOrders.find((order) => order === event.currentTarget.value);
            if (chosen) rowOrder.value = chosen;
          }}
        >
          {rowOrders.map((order) => (
            <option key={order} value={order} selected={order === rowOrder.value}>
              {orderNames[order]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
