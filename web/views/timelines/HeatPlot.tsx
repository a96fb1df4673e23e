import { useMemo } from 'preact/hooks';
import { workerLabel } from '../../domain/workers';
import type { Selection } from '../../engine/engine';
import type { Table } from '../../engine/table';
import type { TrackFrame } from '../../plot/drawTrack';
import { significant } from '../../plot/format';
import { levelsOf, type Matrix, paintHeat } from '../../plot/heat';
import { at, largest, quantile } from '../../plot/numbers';
import { paletteGeneration } from '../../plot/palette';
import { pixelRatio } from '../../plot/pixelRatio';
import { PixelBuffer, sequentialPixels } from '../../plot/pixels';
import { Track } from '../../plot/Track';
import { useSize } from '../../plot/useSize';
import { selectNames, workerSelection } from '../../state/selection';
import { rowOrder } from '../../state/timelines';
import { useAnswer } from '../../state/useAnswer';
import { useSurface } from './surface';
import { useTrackAnswers } from './trackAnswers';
import { useWindow } from './useWindow';
import type { WorkerPlotProps } from './workerPlot';

const tallest = 112;
const leastRow = 8;

interface HeatPlotProps extends WorkerPlotProps {
  /** which workers it is of */
  selected: Selection;
}

/**
 * Workers by time, a row for each or for several: the core bins both at the width of the picture.
 */
export function HeatPlot({ quantity, axis, surface, spread, workers, selected }: HeatPlotProps) {
  const [box, width] = useSize<HTMLDivElement>();
  const pixels = Math.max(64, Math.round(width * pixelRatio()));
  const window_ = useWindow(axis, pixels);
  const height = Math.min(tallest, Math.max(40, workers.rows * leastRow));
  const rows = Math.round(height * pixelRatio());
  const answer = useAnswer(
    width > 0 ? 'worker_matrix' : '',
    { ...selected, ...(window_.time ? { time: window_.time } : {}) },
    {
      series: quantity.series,
      bins: window_.bins,
      stat: quantity.across === 'min' ? 'mean' : 'max',
      rows,
      rows_stat: quantity.across,
      sort: rowOrder.value,
    },
  );
  useTrackAnswers(answer);
  const { table } = answer;
  const generation = paletteGeneration.value;
  const top = useMemo(
    () => heatTop(spread.max.values, quantity.robust ?? false),
    [spread, quantity],
  );
  const layers = useMemo(() => {
    const heat = table && levelsOf(matrixOf(table, quantity.series), top * spread.scale.divisor);
    const scale = sequentialPixels();
    const buffer = new PixelBuffer();
    const paint = (context: CanvasRenderingContext2D, frame: TrackFrame) => {
      if (!heat) return;
      const columns = Math.round(frame.width * frame.ratio);
      buffer.clear(columns, heat.rows);
      // a mean over a bin is not made sharper by picking; the largest must not be lost
      const across = quantity.across === 'max' ? 'max' : 'mean';
      paintHeat(heat, frame.begin, frame.end, columns, across, scale, buffer.pixels);
      buffer.drawOn(context, 0, 0, frame.width, frame.height);
    };
    return [{ kind: 'paint', paint } as const];
  }, [table, quantity, spread, top, generation]);
  useSurface(surface, quantity.id, {
    element: () => box.current,
    hover: (point) => {
      if (!point || !table || table.rows === 0) return undefined;
      const row = Math.min(table.rows - 1, Math.floor(point.down * table.rows));
      const matrix = matrixOf(table, quantity.series);
      const bin = Math.floor(
        ((point.moment - matrix.begin) / (matrix.end - matrix.begin)) * matrix.bins,
      );
      const value =
        bin < 0 || bin >= matrix.bins
          ? Number.NaN
          : at(matrix.values, row * matrix.bins + bin) / spread.scale.divisor;
      const shared = table.number('workers', row);
      const { unit } = spread.scale;
      return (
        <>
          <b>{workerLabel(workers, table.text('worker', row) ?? '')}</b>
          {shared > 1 ? ` and ${shared - 1} more, the ${across(quantity.across)} of them` : ''}
          <br />
          {quantity.title}:{' '}
          {Number.isFinite(value) ? `${significant(value)}\u2009${unit}` : 'no data'}
          {shared > 1 ? null : (
            <>
              <br />
              <span class="muted">click selects the worker</span>
            </>
          )}
        </>
      );
    },
    click: (point) => {
      if (!table || table.rows === 0) return false;
      const row = Math.min(table.rows - 1, Math.floor(point.down * table.rows));
      const worker = table.text('worker', row);
      if (!worker || table.number('workers', row) !== 1 || workerSelection.value.workers)
        return false;
      selectNames('workers', [worker]);
      return true;
    },
  });
  const ticks = useMemo(
    () => [
      { value: 1, label: String(workers.rows) },
      { value: 0, label: '1' },
    ],
    [workers],
  );
  return (
    <div
      class="heat"
      data-testid={`heat-${quantity.id}`}
      data-first={table?.rows ? table.text('worker', 0) : ''}
    >
      <div ref={box}>
        <Track
          over={axis}
          layers={layers}
          height={height}
          top={1}
          ticks={ticks}
          label={`${quantity.title} of ${workers.rows} workers over time, from 0 to ${significant(top)} ${spread.scale.unit}`}
        />
      </div>
    </div>
  );
}

const across = (of: WorkerPlotProps['quantity']['across']): string =>
  of === 'min' ? 'smallest' : of === 'max' ? 'largest' : 'mean';

/** Single wild samples must not make all else pale. */
export function heatTop(values: Float64Array, robust: boolean): number {
  return (robust ? Math.max(100, quantile(values, 0.98)) : largest(values)) || 1;
}

function matrixOf(table: Table, series: string): Matrix {
  return {
    values: table.numbers(series),
    rows: table.rows,
    bins: table.column(series).width,
    begin: Number(table.notes.t0),
    end: Number(table.notes.t1),
  };
}
