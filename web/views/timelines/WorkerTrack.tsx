import type { Phase } from '../../domain/phases';
import type { Selection } from '../../engine/engine';
import { noteNumber, type Table } from '../../engine/table';
import { listed, significant } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { heldSamples, valueAt } from '../../plot/steps';
import type { TimeAxis } from '../../plot/timeAxis';
import { timeSelection, workerSelection } from '../../state/selection';
import { setter } from '../../state/setter';
import { chosenForms, type RowOrder, rowOrder, rowOrders } from '../../state/timelines';
import { useAnswer } from '../../state/useAnswer';
import { useMadeOf } from '../../ui/madeOf';
import { noteText } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { Select } from '../common/Select';
import { HeatPlot, heatTop } from './HeatPlot';
import { HeatScale } from './HeatScale';
import { LinesPlot } from './LinesPlot';
import { SpreadPlot } from './SpreadPlot';
import type { Surface } from './surface';
import { AbsentRow, isFolded, TrackFrame } from './TrackFrame';
import { useTrackAnswers } from './trackAnswers';
import type { Spread } from './workerPlot';
import { formOf, formsOf, type WorkerQuantity } from './workerQuantities';

export interface WorkerTrackProps {
  quantity: WorkerQuantity;
  axis: TimeAxis;
  surface: Surface;
  /** answers of `timeline` and `workers` */
  timeline: Table;
  workers: Table;
  /** the selection that they are of, and how many there will be once another is answered */
  of: Selection;
  wanted: number;
  phases: readonly Phase[];
}

export function spreadOf(table: Table, quantity: WorkerQuantity, end: number): Spread | undefined {
  if (table.rows === 0 || !table.numbers('mean').some(Number.isFinite)) return undefined;
  const scale = quantity.scale(largest(table.numbers(quantity.summed ? 'total' : 'max')));
  const steps = (name: string) =>
    heldSamples(
      table.numbers('t'),
      table.numbers(name).map((value) => value / scale.divisor),
      end,
    );
  const max = steps('max');
  return {
    mean: steps('mean'),
    total: steps('total'),
    p10: steps('p10'),
    p90: steps('p90'),
    min: steps('min'),
    max,
    scale,
    peak: largest(max.values),
  };
}

/** A quantity of the workers over time: mean with bands, heat map, or a line for each. */
export function WorkerTrack({
  quantity,
  axis,
  surface,
  timeline,
  workers,
  of,
  wanted,
  phases,
}: WorkerTrackProps) {
  const { series } = quantity;
  const selected = workerSelection.value;
  const answer = useAnswer('worker_spread', selected, { series });
  const time = timeSelection.value;
  const over = useAnswer(
    'worker_spread',
    time ? { ...selected, time: [time[0], time[1]] } : selected,
    { series },
  );
  const chosen = chosenForms.value[quantity.id];
  const form = formOf(quantity, workers.rows, chosen);
  const next = formOf(quantity, wanted, chosen);
  const minor = quantity.minor ?? false;
  // what is drawn in another form next is not asked for once more in this one, but in that along
  // with the rest
  const isLines = [form, next].includes('lines') && !isFolded(quantity.id, minor);
  const lines = useAnswer(isLines ? 'worker_matrix' : '', next === 'lines' ? selected : of, {
    series,
    sort: 'name',
    stat: 'tick',
  });
  useTrackAnswers(answer, lines);
  const end = axis.extent.value[1];
  const spread = useMadeOf(
    answer.table,
    'spread',
    () => answer.table && spreadOf(answer.table, quantity, end),
    [quantity, end],
  );
  if (!answer.table)
    return <div class="track-row track-waiting" data-testid={`track-${quantity.id}`} />;
  if (!spread) {
    return (
      <AbsentRow
        id={quantity.id}
        title={quantity.title}
        reason={
          noteText(answer, 'missing') || `worker_${series} is not in this bundle’s tracking_data`
        }
      />
    );
  }
  const main = quantity.summed && form === 'mean' ? spread.total : spread.mean;
  const { unit } = spread.scale;
  const print = (value: number) =>
    Number.isFinite(value)
      ? `${significant(value, value >= 10 && unit === '%' ? 2 : 3)}${unit === '%' ? '\u2009%' : ''}`
      : '–';
  const band = (low: number, high: number) =>
    Number.isFinite(low) && Number.isFinite(high)
      ? `${significant(low)} – ${significant(high)}`
      : '';
  const readOut = (moment: number | undefined): [string, string] => {
    if (moment !== undefined) {
      return [
        print(valueAt(main, moment)),
        band(valueAt(spread.min, moment), valueAt(spread.max, moment)),
      ];
    }
    const mean = noteNumber(over.table, main === spread.total ? 'mean_of_total' : 'mean_of_mean');
    return [print(mean / spread.scale.divisor), ''];
  };
  const unitText = listed(
    [
      unit === '' ? '' : unit,
      quantity.summed && form === 'mean' ? 'sum, and executing' : quantity.note,
    ],
    ' ',
  );
  const common = { quantity, axis, surface, spread, workers, phases };
  return (
    <TrackFrame
      id={quantity.id}
      title={quantity.title}
      unit={unitText}
      shortUnit={unit === '%' ? '' : unit || 'tasks'}
      axis={axis}
      minor={minor}
      readOut={readOut}
      data={answer.table}
      controls={
        <>
          {form === 'heat' ? <HeatLegend quantity={quantity} spread={spread} /> : null}
          <Segmented
            name={`form-${quantity.id}`}
            label={`${quantity.title} as`}
            options={formsOf(workers.rows)}
            value={form}
            onChange={(chosen) => {
              chosenForms.value = { ...chosenForms.peek(), [quantity.id]: chosen };
            }}
          />
        </>
      }
    >
      {form === 'heat' ? (
        <HeatPlot {...common} selected={next === form ? selected : of} />
      ) : form === 'lines' ? (
        <LinesPlot {...common} table={lines.table} ticks={timeline.numbers('t')} />
      ) : (
        <SpreadPlot {...common} timeline={timeline} />
      )}
    </TrackFrame>
  );
}

const orderNames: Readonly<Record<RowOrder, string>> = {
  mean: 'mean',
  first_seen: 'first seen',
  peak: 'peak',
  name: 'name',
  host: 'host',
};

/** What the colours of a heat map stand for, and what its rows are sorted by. */
function HeatLegend({ quantity, spread }: { quantity: WorkerQuantity; spread: Spread }) {
  return (
    <HeatScale
      top={`${significant(heatTop(spread.max.values, quantity.robust ?? false))}\u2009${spread.scale.unit}`}
    >
      <Select
        named
        label="sorted by"
        options={rowOrders.map((id) => ({ id, title: orderNames[id] }))}
        value={rowOrder.value}
        onChange={setter(rowOrder)}
        testId={`sort-${quantity.id}`}
      />
    </HeatScale>
  );
}
