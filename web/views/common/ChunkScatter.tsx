import { quantityOf, quantityTitle } from '../../domain/columns';
import { rowOfChunk } from '../../domain/points';
import type { Table } from '../../engine/table';
import { shapeOf } from '../../plot/dots';
import type { Points } from '../../plot/drawScatter';
import { Legend, type LegendEntry } from '../../plot/Legend';
import {
  type Rectangle,
  type ScatterAxis,
  ScatterPlot,
  type ScatterPlotProps,
} from '../../plot/ScatterPlot';
import { isMarked, marked, markedSelection } from '../../state/finding';
import { hoveredChunk } from '../../state/hoveredChunk';
import { rangeOf, selectRanges, withoutRanges } from '../../state/ranges';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { ChunkFacts } from './ChunkFacts';

export interface ChunkScatterProps
  extends Pick<
    ScatterPlotProps,
    'points' | 'xAxis' | 'yAxis' | 'height' | 'lines' | 'label' | 'testId'
  > {
  /** the answer of `chunks` that the points are of, once or one after the other more times */
  table: Table;
  /** the columns on the axes; an axis without one cannot be selected on */
  x: string | undefined;
  y: string;
}

/**
 * Chunks as points: what is selected of their columns, which one the pointer is on, and what it is.
 */
export function ChunkScatter({ table, x, y, ...plot }: ChunkScatterProps) {
  const run = activeRunId.value;
  const range = (column: string | undefined) => {
    const found = column === undefined ? undefined : rangeOf(selection.value, column);
    return found && ([found.lo, found.hi] as const);
  };
  const [rangeX, rangeY] = [range(x), range(y)];
  const columns = x === undefined ? [y] : [x, y];
  const chunkAt = (point: number) => table.number('chunk', point % table.rows);
  const onSelect = (to: Rectangle | undefined) => {
    const chosen =
      to && x !== y
        ? columns.map((column) => ({ column, ...ends(column === y ? to.y : to.x) }))
        : [];
    selectRanges(columns, chosen);
  };
  return (
    <ScatterPlot
      {...plot}
      marked={rowOfChunk(table, hoveredChunk.value)}
      onMark={(row) => {
        hoveredChunk.value = row === undefined ? undefined : chunkAt(row);
      }}
      tooltip={(row) => <ChunkFacts run={run} chunk={chunkAt(row)} />}
      selected={rangeX || rangeY ? { x: rangeX ?? all, y: rangeY ?? all } : undefined}
      onSelect={onSelect}
    />
  );
}

const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const ends = ([lo, hi]: Rectangle['x']) => ({ lo, hi });

/** An axis of a column of the chunks. */
export function chunkAxis(column: string, log = false): ScatterAxis {
  const quantity = quantityOf(column);
  return { title: quantityTitle(quantity), factor: quantity.factor, log };
}

/**
 * The chunks that the followed finding is about, whatever the axes are narrowed to; undefined where
 * none is left, as of a worker whose chunks all ran again elsewhere.
 */
export function useChunksOfFinding(axes: readonly string[]) {
  const { table } = useAnswer(
    isMarked.value ? 'chunks' : '',
    { ...withoutRanges(markedSelection.value, axes), ...marked.value },
    { columns: 'chunk' },
  );
  return table?.rows ? table : undefined;
}

/** More than these share a colour. */
const mostEntries = 9;

export const datasetEntries = (
  datasets: Table,
  colourOf: (name: string) => string,
): LegendEntry[] =>
  Array.from({ length: Math.min(mostEntries, datasets.rows) }, (_, row) => {
    const name = datasets.text('name', row) ?? '';
    const colour = colourOf(name);
    return { id: name, label: name || 'no dataset', colour, shape: shapeOf(colour) };
  });

/** The colours that points have, of those that they may have. */
export const coloursIn = ({ colours, group }: Points): ReadonlySet<string> =>
  new Set(colours.filter((_, place) => group.includes(place)));

/** Of given `points` those alone that have any. */
export function DatasetLegend({
  datasets,
  colourOf,
  points,
}: {
  datasets: Table;
  colourOf: (name: string) => string;
  points?: Points;
}) {
  const drawn = points && coloursIn(points);
  return (
    <Legend
      entries={datasetEntries(datasets, colourOf).filter(
        ({ colour }) => drawn?.has(colour) ?? true,
      )}
    />
  );
}
