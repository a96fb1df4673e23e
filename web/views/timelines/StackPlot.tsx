import { useMemo } from 'preact/hooks';
import type { Phase } from '../../domain/phases';
import { phaseShade } from '../../domain/phases';
import type { Table } from '../../engine/table';
import { drawTrack, type Layer } from '../../plot/drawTrack';
import { significant } from '../../plot/format';
import { largest } from '../../plot/numbers';
import type { Steps } from '../../plot/steps';
import { type TimeFrame, TimePlot } from '../../plot/TimePlot';
import { axisTicks, roundedUp } from '../../plot/ticks';
import type { TimeAxis } from '../../plot/timeAxis';

const height = 160;
const palette = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];

export interface StackPlotProps {
  /** the answer of `concurrency` */
  table: Table | undefined;
  axis: TimeAxis;
  by: 'dataset' | 'host';
  colourOf: (name: string) => string;
  phases: readonly Phase[];
}

/** How many chunks run at once, one group upon the other. */
export function StackPlot({ table, axis, by, colourOf, phases }: StackPlotProps) {
  const shown = useMemo(() => {
    const layers: Layer[] = [phaseShade(phases)];
    let below: Steps | undefined;
    const rows = table?.rows ?? 0;
    if (table && rows > 0) {
      const width = table.column('chunks_running').width;
      const values = table.numbers('chunks_running');
      const begin = Number(table.notes.t0);
      const end = Number(table.notes.t1);
      const edges = Float64Array.from({ length: width + 1 }, (_, bin) => begin + (bin * (end - begin)) / width);
      let lower: Steps = { edges, values: new Float64Array(width) };
      for (let row = 0; row < rows; row += 1) {
        const upper: Steps = {
          edges,
          values: lower.values.map((value, bin) => value + (values[row * width + bin] ?? 0)),
        };
        const name = table.text(by, row) ?? '';
        const colour = by === 'dataset' ? colourOf(name) : rows <= palette.length ? palette[row] : undefined;
        layers.push({ kind: 'band', lower, upper, colour: colour ?? '--c-rest', opacity: 1 });
        lower = upper;
      }
      below = lower;
    }
    const peak = below ? largest(below.values) : 0;
    const top = roundedUp(peak);
    const ticks = axisTicks(0, top, 4);
    const gridAt = ticks.map((tick) => tick.value);
    return {
      peak,
      top,
      ticks,
      draw: (context: CanvasRenderingContext2D, frame: TimeFrame) =>
        drawTrack(context, layers, { ...frame, top, gridAt }),
    };
  }, [table, by, colourOf, phases]);
  return (
    <TimePlot
      axis={axis}
      draw={shown.draw}
      height={height}
      top={shown.top}
      ticks={shown.ticks}
      label={`Chunks running at once by ${by}, up to ${significant(shown.peak)}`}
      testId="stack"
    />
  );
}
