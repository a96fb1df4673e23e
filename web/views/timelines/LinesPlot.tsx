import { useMemo, useRef } from 'preact/hooks';
import { phaseShade } from '../../domain/phases';
import { workerLabel } from '../../domain/workers';
import type { Table } from '../../engine/table';
import { significant } from '../../plot/format';
import { quantile } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples, type Steps, valueAt } from '../../plot/steps';
import { type DirectLabel, Track } from '../../plot/Track';
import { useSurface } from './surface';
import type { WorkerPlotProps } from './workerPlot';

const height = 96;

interface Line {
  name: string;
  colour: string;
  steps: Steps;
}

interface LinesPlotProps extends WorkerPlotProps {
  /** the answer of `worker_matrix`, of each tick */
  table: Table | undefined;
  ticks: Float64Array;
}

/** A line for each of few workers, its name at its end. */
export function LinesPlot({
  quantity,
  axis,
  surface,
  spread,
  workers,
  phases,
  table,
  ticks,
}: LinesPlotProps) {
  const end = axis.extent.value[1];
  const { divisor, unit } = spread.scale;
  const lines = useMemo(
    () => (table ? linesOf(table, quantity.series, divisor, ticks, end, workers) : []),
    [table, quantity, divisor, ticks, end, workers],
  );
  const shown = useMemo(() => {
    const top = roundedUp(
      quantity.robust ? Math.max(100, quantile(spread.max.values, 0.98)) : spread.peak,
    );
    return {
      top,
      labels: labelsOf(lines, top),
      layers: [
        phaseShade(phases),
        ...lines.map(({ steps, colour }) => ({ kind: 'line', steps, colour, width: 1.5 }) as const),
      ],
    };
  }, [lines, spread, quantity, phases]);
  const box = useRef<HTMLDivElement>(null);
  useSurface(surface, quantity.id, {
    element: () => box.current,
    hover: (point) =>
      point && lines.length > 0 ? (
        <>
          <b>{quantity.title}</b>
          {lines.map(({ name, steps }) => (
            <div key={name}>
              {name}: {significant(valueAt(steps, point.moment))} {unit}
            </div>
          ))}
        </>
      ) : undefined,
  });
  return (
    <div ref={box} class="lines" data-testid={`lines-${quantity.id}`}>
      <Track
        {...shown}
        over={axis}
        height={height}
        label={`${quantity.title} of each of ${lines.length} workers, ${unit}`}
      />
    </div>
  );
}

/** Lightness steps of one hue: workers are many and mean nothing by themselves. */
const colours = ['--seq-6', '--seq-4', '--text', '--seq-5', '--line-ctl', '--text-3'] as const;

/** The ticks of each worker as held steps, silent stretches not bridged. */
function linesOf(
  table: Table,
  series: string,
  divisor: number,
  ticks: Float64Array,
  end: number,
  workers: Table,
): Line[] {
  const { width } = table.column(series);
  const values = table.numbers(series).map((value) => value / divisor);
  return Array.from({ length: table.rows }, (_, line) => ({
    name: workerLabel(workers, table.text('worker', line) ?? ''),
    colour: colours[line % colours.length] ?? '--text',
    steps: heldSamples(ticks, values.subarray(line * width, (line + 1) * width), end),
  })).filter(({ steps }) => steps.values.some(Number.isFinite));
}

const lineHeight = 13;

/** Names stand under each other, in the order in which the lines end. */
function labelsOf(lines: readonly Line[], top: number): DirectLabel[] {
  const ended = lines
    .map((line) => ({ ...line, last: line.steps.values.findLast(Number.isFinite) ?? 0 }))
    .sort((a, b) => b.last - a.last);
  let free = 0;
  return ended.map(({ name, colour, last }, place) => {
    const wanted = height - (last / top) * height - lineHeight / 2;
    const lowest = height - (ended.length - place) * lineHeight;
    const y = Math.max(free, Math.min(wanted, lowest));
    free = y + lineHeight;
    // a track places a label 15 px above its value
    return {
      text: name,
      colour,
      at: 1,
      value: ((height - (y + 15)) / height) * top,
      side: 'above',
    };
  });
}
