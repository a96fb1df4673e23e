import { useMemo } from 'preact/hooks';
import { type Phase, phaseShade } from '../../domain/phases';
import { rowColour, stackOf } from '../../domain/stack';
import type { Table } from '../../engine/table';
import { significant } from '../../plot/format';
import { Track } from '../../plot/Track';
import type { TimeAxis } from '../../plot/timeAxis';

const height = 160;

export interface StackPlotProps {
  /** the answer of `concurrency` */
  table: Table<'concurrency'> | undefined;
  axis: TimeAxis;
  by: 'dataset' | 'host';
  colourOf: (name: string) => string;
  phases: readonly Phase[];
}

/** How many chunks run at once, one group upon the other. */
export function StackPlot({ table, axis, by, colourOf, phases }: StackPlotProps) {
  const { layers, peak } = useMemo(() => {
    const shade = phaseShade(phases);
    if (!table || table.rows === 0 || !table.has(by)) return { layers: [shade], peak: 0 };
    const { layers, peak } = stackOf(table, 'chunks_running', by, (name, row) =>
      by === 'dataset' ? colourOf(name) : rowColour(by, row),
    );
    return { layers: [shade, ...layers], peak };
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
