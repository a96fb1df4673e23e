import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { phaseShade } from '../../domain/phases';
import { workerLabel } from '../../domain/workers';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { significant } from '../../plot/format';
import { type LineSet, lineDensity, nearestLine, paintDensity } from '../../plot/manyLines';
import { at, quantile } from '../../plot/numbers';
import { paletteGeneration } from '../../plot/palette';
import { PixelBuffer, pixelOf } from '../../plot/pixels';
import { roundedUp } from '../../plot/scales';
import { heldSamples, type Steps } from '../../plot/steps';
import { type DirectLabel, Track } from '../../plot/Track';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selectNames, workerSelection } from '../../state/selection';
import { useSurface } from './surface';
import { useTrackAnswers } from './trackAnswers';
import type { WorkerPlotProps } from './workerPlot';
import { namedLines } from './workerQuantities';

const height = 96;
/**
 * More than these are not handed out one by one: then a line is the largest of each of so many
 * stretches.
 */
const mostSamples = 2_000_000;
const fewerBins = 1024;
const alpha = 0.25;
const reachPixels = 8;

/** The worker whose line the pointer is on: the same in all tracks. */
const hoveredWorker = signal<string | undefined>(undefined);

/**
 * A line for each worker: named where they are few, grey with the hovered one in colour where they
 * are many.
 */
export function LinesPlot({
  quantity,
  axis,
  surface,
  spread,
  workers,
  phases,
  ticks,
}: WorkerPlotProps & { ticks: Float64Array }) {
  const answer = useAnswer(activeRunId.value, 'worker_matrix', workerSelection.value, {
    series: quantity.series,
    sort: 'name',
    ...(workers.rows * ticks.length > mostSamples
      ? { stat: 'max', bins: fewerBins }
      : { stat: 'tick' }),
  });
  useTrackAnswers(answer);
  const { table } = answer;
  const end = axis.extent.value[1];
  const set = useMemo(
    () => table && lineSetOf(table, quantity.series, spread.scale.divisor, ticks, end),
    [table, quantity, spread, ticks, end],
  );
  const generation = paletteGeneration.value;
  const few = table !== undefined && table.rows <= namedLines;
  const hovered = few ? undefined : hoveredWorker.value;
  const shown = useMemo(() => {
    const top = roundedUp(
      quantity.robust ? Math.max(100, quantile(spread.max.values, 0.98)) : spread.peak,
    );
    const buffer = new PixelBuffer();
    const grey = pixelOf('--text-3');
    const own: Layer[] = [];
    const labels: DirectLabel[] = [];
    if (table && set) {
      for (let line = 0; line < set.lines; line += 1) {
        const address = table.text('worker', line) ?? '';
        if (few) {
          const colour = lineColours[line % lineColours.length] ?? '--text';
          own.push({ kind: 'line', steps: lineOf(set, line), colour, width: 1.5 });
          labels.push({
            text: workerLabel(workers, address),
            colour,
            at: 1,
            value: 0,
            side: 'above',
          });
        } else if (address === hovered) {
          own.push({ kind: 'line', steps: lineOf(set, line), colour: '--accent', width: 2 });
        }
      }
    }
    // names stand under each other, in the order in which the lines end
    if (few && set) placeLabels(labels, set, top);
    const many: Layer = {
      kind: 'paint',
      paint: (context, { begin, end: until, width, height: high, ratio }) => {
        if (!set || few) return;
        const columns = Math.round(width * ratio);
        const rows = Math.round(high * ratio);
        buffer.clear(columns, rows);
        paintDensity(
          lineDensity(set, begin, until, columns, rows, top),
          grey,
          alpha,
          buffer.pixels,
        );
        buffer.drawOn(context, 0, 0, width, high);
      },
    };
    return { top, labels, layers: [phaseShade(phases), many, ...own] };
  }, [set, table, few, hovered, spread, quantity, phases, workers, generation]);
  const box = useRef<HTMLDivElement>(null);
  const lineUnder = (down: number, moment: number): number =>
    set ? nearestLine(set, moment, (1 - down) * shown.top, (reachPixels / height) * shown.top) : -1;
  useSurface(surface, quantity.id, {
    element: () => box.current,
    hover: (point) => {
      const line = point && table ? lineUnder(point.down, point.moment) : -1;
      const address = line >= 0 ? table?.text('worker', line) : undefined;
      if (hoveredWorker.peek() !== address) hoveredWorker.value = address;
      if (!address || !set || !point) return undefined;
      const value = at(lineOf(set, line).values, stepAt(set, point.moment));
      return (
        <>
          <b>{workerLabel(workers, address)}</b>
          <br />
          {quantity.title}: {significant(value)} {spread.scale.unit}
          <br />
          <span class="muted">click selects the worker</span>
        </>
      );
    },
    click: (point) => {
      const line = few ? -1 : lineUnder(point.down, point.moment);
      const address = line >= 0 ? table?.text('worker', line) : undefined;
      if (!address) return false;
      hoveredWorker.value = undefined;
      selectNames('workers', [address]);
      return true;
    },
  });
  return (
    <div ref={box} class="lines" data-testid={`lines-${quantity.id}`}>
      <Track
        {...shown}
        over={axis}
        height={height}
        label={`${quantity.title} of each of ${table?.rows ?? 0} workers, ${spread.scale.unit}`}
      />
    </div>
  );
}

/** Lightness steps of one hue: workers are many and mean nothing by themselves. */
const lineColours = ['--seq-6', '--seq-4', '--text', '--seq-5', '--line-ctl', '--text-3'];

const lineHeight = 13;

function placeLabels(labels: DirectLabel[], set: LineSet, top: number): void {
  const steps = set.edges.length - 1;
  const lastOf = (line: number): number => {
    for (let step = steps - 1; step >= 0; step -= 1) {
      const value = at(set.values, line * steps + step);
      if (Number.isFinite(value)) return value;
    }
    return 0;
  };
  const order = labels.map((_, line) => line).sort((a, b) => lastOf(b) - lastOf(a) || a - b);
  let free = 0;
  order.forEach((line, place) => {
    const wanted = height - (lastOf(line) / top) * height - lineHeight / 2;
    const lowest = height - (order.length - place) * lineHeight;
    const y = Math.max(free, Math.min(wanted, lowest));
    free = y + lineHeight;
    const label = labels[line];
    // a track places a label 15 px above its value
    if (label) label.value = ((height - (y + 15)) / height) * top;
  });
}

function stepAt(set: LineSet, moment: number): number {
  let step = 0;
  while (step + 2 < set.edges.length && at(set.edges, step + 1) <= moment) step += 1;
  return step;
}

function lineOf(set: LineSet, line: number): Steps {
  const steps = set.edges.length - 1;
  return { edges: set.edges, values: set.values.subarray(line * steps, (line + 1) * steps) };
}

/**
 * The ticks of each worker as held steps, silent stretches not bridged; or the bins that were asked
 * for instead of them.
 */
export function lineSetOf(
  table: Table,
  series: string,
  divisor: number,
  ticks: Float64Array,
  end: number,
): LineSet {
  const width = table.column(series).width;
  const given = table.numbers(series);
  const held = 'first_tick' in table.notes ? heldTicks(ticks, end) : bins(table, width);
  const steps = held.values.length;
  const values = new Float64Array(table.rows * steps);
  for (let line = 0; line < table.rows; line += 1) {
    for (let step = 0; step < steps; step += 1) {
      const place = at(held.values, step);
      values[line * steps + step] = Number.isNaN(place)
        ? Number.NaN
        : at(given, line * width + place) / divisor;
    }
  }
  return { edges: held.edges, values, lines: table.rows };
}

/** Steps whose values are the places of the ticks. */
const heldTicks = (ticks: Float64Array, end: number): Steps =>
  heldSamples(
    ticks,
    ticks.map((_, tick) => tick),
    end,
  );

function bins(table: Table, width: number): Steps {
  const begin = Number(table.notes.t0);
  const length = (Number(table.notes.t1) - begin) / width;
  return {
    edges: Float64Array.from({ length: width + 1 }, (_, bin) => begin + bin * length),
    values: Float64Array.from({ length: width }, (_, bin) => bin),
  };
}
