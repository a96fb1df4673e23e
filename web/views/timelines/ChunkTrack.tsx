import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import { type Phase, phaseShade } from '../../domain/phases';
import { rowOfChunk } from '../../domain/points';
import { rowColour, stackOf } from '../../domain/stack';
import type { Table } from '../../engine/table';
import { count, duration, significant } from '../../plot/format';
import { cssColour, paletteGeneration } from '../../plot/palette';
import { Track } from '../../plot/Track';
import type { TimeAxis } from '../../plot/timeAxis';
import { markedChunks } from '../../state/finding';
import { hoveredChunk, pickedChunk } from '../../state/hoveredChunk';
import { chunkSelection, selection, selectNames, toggleName } from '../../state/selection';
import { put } from '../../state/setter';
import { type BarColour, type BarKind, barColour, barKind } from '../../state/timelines';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { showPinned } from '../../ui/tooltip';
import { noteText } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { ChunkTooltip } from './ChunkTooltip';
import { type Bars, barColumns, barsOf, selectedRows } from './chunkBars';
import { GanttPlot } from './GanttPlot';
import { HeatScale } from './HeatScale';
import type { Surface } from './surface';
import { TrackFrame } from './TrackFrame';
import { useTrackAnswers } from './trackAnswers';

const colourings: readonly { id: BarColour; title: string }[] = [
  { id: 'dataset', title: 'Dataset' },
  { id: 'host', title: 'Host' },
  { id: 'rate', title: 's/event' },
  { id: 'file', title: 'File' },
];

/**
 * Lanes beyond which they are too narrow to tell apart: how many run at once is drawn until the
 * picture is zoomed.
 */
const mostLanes = 100;
const zoomedShare = 1 / 8;
const stackBins = 2048;

export interface ChunkTrackProps {
  axis: TimeAxis;
  surface: Surface;
  phases: readonly Phase[];
  /** a task stream was recorded too */
  hasTasks: boolean;
}

export const laneHeights = (lanes: number): number => {
  if (lanes <= 4) return lanes * 62;
  if (lanes <= 8) return lanes * 34;
  if (lanes <= 24) return 272;
  return Math.min(600, Math.max(272, lanes));
};

/** What stands in a wide bar. */
const barLines = (table: Table, row: number): string[] => {
  const events = table.number('events', row);
  return [
    duration(table.number('duration', row)),
    ...(Number.isFinite(events) ? [count(events)] : []),
  ];
};

/** The chunks on inferred lanes, or how many of them run at once. */
export function ChunkTrack({ axis, surface, phases, hasTasks }: ChunkTrackProps) {
  const chunks = useAnswer('chunks', {}, { columns: barColumns });
  const filtered = Object.keys(markedChunks.value).length > 0;
  const narrowed = useAnswer(filtered ? 'chunks' : '', markedChunks.value, {
    columns: 'chunk',
  });
  const { colourOf } = useDatasets();
  const { table } = chunks;
  const by = barColour.value;
  const generation = paletteGeneration.value;
  const mask = useMemo(
    () =>
      filtered && table && narrowed.table?.has('chunk')
        ? selectedRows(table, narrowed.table)
        : undefined,
    [filtered, table, narrowed.table],
  );
  const bars = useMemo(
    () => (table && table.rows > 0 ? barsOf(table, by, colourOf, mask) : undefined),
    [table, by, colourOf, mask, generation],
  );
  const many = (bars?.gantt.lanes ?? 0) > mostLanes;
  // only whether it is zoomed, not where: panning must not ask for this component
  const zoomed = useMemo(
    () =>
      computed(() => {
        const [begin, end] = axis.visible.value;
        return end - begin <= zoomedShare * (axis.extent.value[1] - axis.extent.value[0]);
      }),
    [axis],
  );
  const asStack =
    barKind.value === 'stack' || (many && barKind.value !== 'chunks' && !zoomed.value);
  const stackBy = by === 'host' ? 'host' : 'dataset';
  const concurrency = useAnswer(asStack ? 'concurrency' : '', chunkSelection.value, {
    bins: stackBins,
    by: stackBy,
  });
  useTrackAnswers(chunks, narrowed, concurrency);
  const barText = useMemo(() => (row: number) => (table ? barLines(table, row) : []), [table]);
  if (!bars || !table) return null;
  const show = (row: number, point: { clientX: number; clientY: number }) => {
    pickedChunk.value = row < 0 ? undefined : table.number('chunk', row);
    if (row < 0) return;
    const tooltip = <ChunkTooltip table={table} row={row} pinned />;
    showPinned(point.clientX, point.clientY, tooltip, put(pickedChunk, undefined));
  };
  const picked = rowOfChunk(table, pickedChunk.value) ?? -1;
  const hovered = rowOfChunk(table, hoveredChunk.value) ?? -1;
  const { lanes } = bars.gantt;
  return (
    <TrackFrame
      id="chunks"
      title="Chunks"
      unit={asStack ? `running, by ${stackBy}` : `${lanes} inferred lanes`}
      axis={axis}
      readOut={() => ['', '']}
      data={asStack ? concurrency.table : table}
      controls={
        <>
          <BarLegendList bars={bars} by={by} />
          <Choice name="bar-colour" label="Colour of chunks" options={colourings} of={barColour} />
          <BarKinds shown={asStack ? 'stack' : 'chunks'} hasTasks={hasTasks} />
          {filtered ? (
            <p class="muted">grey: not selected. {noteText(narrowed, 'selection')}</p>
          ) : null}
        </>
      }
    >
      {asStack ? (
        <StackPlot
          table={concurrency.table}
          axis={axis}
          by={stackBy}
          colourOf={colourOf}
          phases={phases}
        />
      ) : (
        <GanttPlot
          id="chunks"
          axis={axis}
          surface={surface}
          gantt={bars.gantt}
          colours={bars.colours}
          height={laneHeights(lanes)}
          laneName="lane"
          barText={barText}
          tooltip={(row) => <ChunkTooltip table={table} row={row} />}
          onPick={show}
          picked={picked}
          hovered={hovered}
          onHover={(row) => {
            hoveredChunk.value = row < 0 ? undefined : table.number('chunk', row);
          }}
          label={`${table.rows} chunks on ${lanes} inferred lanes`}
        />
      )}
    </TrackFrame>
  );
}

/** What stands beneath the cores. */
export function BarKinds({ shown, hasTasks }: { shown: BarKind; hasTasks: boolean }) {
  return (
    <Choice
      name="bar-kind"
      label="Bars as"
      options={[
        ...(hasTasks ? [{ id: 'tasks', title: 'By worker' } as const] : []),
        { id: 'chunks', title: 'Chunks' },
        { id: 'stack', title: 'Stacked' },
      ]}
      value={shown}
      of={barKind}
    />
  );
}

const most = 9;

/** What the colours of the bars stand for; a click selects. */
function BarLegendList({ bars, by }: { bars: Bars; by: BarColour }) {
  if (by === 'rate') return <HeatScale top={`${duration(bars.scaleTop ?? 0)}/event`} />;
  if (by === 'file') return <p class="muted">neighbouring files differ in colour</p>;
  const dimension = by === 'host' ? 'hosts' : 'datasets';
  const shown = bars.legend.slice(0, most);
  return (
    <ul class="bar-legend">
      {shown.map((entry) => (
        <li key={entry.label}>
          <Button
            class="legend-button"
            title={`${entry.label}: ${count(entry.chunks)} chunks`}
            onClick={(event) => {
              const now = selection.peek()[dimension] ?? [];
              if (event.ctrlKey || event.metaKey) selectNames(dimension, [...now, entry.label]);
              else toggleName(dimension, entry.label);
            }}
          >
            <span class="swatch" style={{ background: cssColour(entry.colour) }} />
            <span class="cut">{entry.label}</span>
          </Button>
          <span class="muted">{count(entry.chunks)}</span>
        </li>
      ))}
      {bars.legend.length > most ? (
        <li class="muted">and {bars.legend.length - most} more</li>
      ) : null}
    </ul>
  );
}

const height = 160;

interface StackPlotProps {
  /** the answer of `concurrency` */
  table: Table<'concurrency'> | undefined;
  axis: TimeAxis;
  by: 'dataset' | 'host';
  colourOf: (name: string) => string;
  phases: readonly Phase[];
}

/** How many chunks run at once, one group upon the other. */
function StackPlot({ table, axis, by, colourOf, phases }: StackPlotProps) {
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
