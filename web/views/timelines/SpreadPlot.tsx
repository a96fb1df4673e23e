import { useMemo } from 'preact/hooks';
import { phaseShade } from '../../domain/phases';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { memory, significant } from '../../plot/format';
import { largest, quantile } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples, valueAt } from '../../plot/steps';
import { type DirectLabel, Track } from '../../plot/Track';
import type { WorkerPlotProps } from './workerPlot';

const height = 64;
/**
 * The limit belongs to the axis only where memory comes near it; else it would press the data flat.
 */
const limitShownFrom = 0.25;

/** Mean over the workers, the 10-90 % band and the extremes; or the sum over them. */
export function SpreadPlot({
  quantity,
  axis,
  spread,
  phases,
  timeline,
}: WorkerPlotProps & { timeline: Table }) {
  const shown = useMemo(() => {
    const layers: Layer[] = [phaseShade(phases)];
    const labels: DirectLabel[] = [];
    const { scale } = spread;
    let top = quantity.robust ? Math.max(100, quantile(spread.max.values, 0.98)) : spread.peak;
    if (quantity.summed) {
      const executing = heldSamples(
        timeline.numbers('t'),
        timeline.numbers('executing_tasks'),
        axis.extent.value[1],
      );
      top = Math.max(largest(spread.total.values), largest(executing.values)) * 1.15;
      layers.push({ kind: 'line', steps: spread.total, colour: quantity.colour, width: 1.5 });
      layers.push({ kind: 'line', steps: executing, colour: '--c8', width: 1.5 });
      const [begin, end] = axis.extent.value;
      const middle = (begin + end) / 2;
      const high = valueAt(spread.total, middle);
      const low = valueAt(executing, middle);
      const place = (value: number) => (Number.isFinite(value) ? value : 0);
      labels.push({
        text: 'assigned',
        colour: quantity.colour,
        at: 0.5,
        value: place(high),
        side: 'above',
      });
      labels.push({
        text: 'executing',
        colour: '--c8',
        at: 0.5,
        value: place(low),
        side: low < high ? 'below' : 'above',
      });
    } else {
      layers.push({
        kind: 'band',
        lower: spread.min,
        upper: spread.max,
        colour: quantity.colour,
        opacity: 0.22,
      });
      layers.push({
        kind: 'band',
        lower: spread.p10,
        upper: spread.p90,
        colour: quantity.colour,
        opacity: 0.3,
      });
      layers.push({ kind: 'line', steps: spread.mean, colour: quantity.colour, width: 1.5 });
    }
    const limit =
      quantity.id === 'memory' ? largest(timeline.numbers('memory_limit')) / scale.divisor : 0;
    if (limit > 0 && spread.peak > limitShownFrom * limit) {
      layers.push({ kind: 'rule', y: limit, colour: '--bad', dashed: true });
      labels.push({
        text: `limit ${memory(limit * scale.divisor)}`,
        colour: '--bad',
        at: 0.9,
        value: limit,
        side: 'below',
      });
      top = Math.max(top, limit);
    }
    return { layers, labels, top: roundedUp(top) };
  }, [spread, quantity, phases, timeline, axis]);
  return (
    <Track
      {...shown}
      over={axis}
      height={height}
      wanted={2}
      label={`${quantity.title}, ${spread.scale.unit}: up to ${significant(spread.peak)}`}
    />
  );
}
