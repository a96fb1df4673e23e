import { useMemo } from 'preact/hooks';
import { type Phase, phaseShade } from '../../domain/phases';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { significant } from '../../plot/format';
import { largest } from '../../plot/numbers';
import type { Steps } from '../../plot/steps';
import { Track } from '../../plot/Track';
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
  const { layers, peak } = useMemo(() => {
    const layers: Layer[] = [phaseShade(phases)];
    let below: Steps | undefined;
    const rows = table?.rows ?? 0;
    if (table && rows > 0) {
      const width = table.column('chunks_running').width;
      const values = table.numbers('chunks_running');
      const begin = Number(table.notes.t0);
      const end = Number(table.notes.t1);
      const edges = Float64Array.from(
        { length: width + 1 },
        (_, bin) => begin + (bin * (end - begin)) / width,
      );
      let lower: Steps = { edges, values: new Float64Array(width) };
      for (let row = 0; row < rows; row += 1) {
        const upper: Steps = {
          edges,
          values: lower.values.map((value, bin) => value + (values[row * width + bin] ?? 0)),
        };
        const name = table.text(by, row) ?? '';
        const colour =
          by === 'dataset' ? colourOf(name) : rows <= palette.length ? palette[row] : undefined;
        layers.push({ kind: 'band', lower, upper, colour: colour ?? '--c-rest', opacity: 1 });
        lower = upper;
      }
      below = lower;
    }
    return { layers, peak: below ? largest(below.values) : 0 };
  }, [table, by, colourOf, phases]);
  return (
    <Track
      over={axis}
      layers={layers}
      height={height}
      label={`Chunks running at once by ${by}, up to ${significant(peak)}`}
      testId="stack"
    />
  );
}
