import { useMemo } from 'preact/hooks';
import { workerLabel } from '../../domain/workers';
import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { bytes, count, duration, fixed } from '../../plot/format';
import { ganttOf } from '../../plot/gantt';
import { at } from '../../plot/numbers';
import { cssColour, paletteGeneration } from '../../plot/palette';
import { pixelOf } from '../../plot/pixels';
import type { TimeAxis } from '../../plot/timeAxis';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { barKind } from '../../state/timelines';
import { showPinned } from '../../ui/tooltip';
import { Segmented } from '../common/Segmented';
import { laneHeights } from './ChunkTrack';
import { GanttPlot } from './GanttPlot';
import type { Surface } from './surface';
import { TrackFrame } from './TrackFrame';

/** Datasets have colours of their own: other tasks are told apart by those of libraries. */
const palette = ['--ph-tasks', '--pk-awk', '--pk-num', '--pk-hist', '--pk-coffea', '--pk-io'];

const actionColours: Readonly<Record<string, string>> = {
  transfer: '--act-net',
  deserialize: '--act-ser',
  'disk-read': '--act-disk',
  'disk-write': '--act-disk',
};

interface Kind {
  label: string;
  colour: string;
  count: number;
}

/**
 * Computations whose results were lost: the same task was computed again later. Only the last of
 * each counts.
 */
export function lostComputations(table: Table): Uint8Array {
  const lost = new Uint8Array(table.rows);
  const last = new Map<string, number>();
  const begins = table.numbers('t0');
  for (let row = 0; row < table.rows; row += 1) {
    if (table.text('action', row) !== 'compute' || isFailed(table, row)) continue;
    const key = table.text('key', row) ?? '';
    const other = last.get(key);
    const isLast = other === undefined || at(begins, row) >= at(begins, other);
    if (other !== undefined) lost[isLast ? other : row] = 1;
    if (isLast) last.set(key, row);
  }
  return lost;
}

const isFailed = (table: Table, row: number): boolean =>
  (table.text('status', row) ?? 'OK') !== 'OK';

/**
 * What a record is coloured by: a computation by its prefix, one that was done in vain and another
 * action by itself, an error as such.
 */
function kindsOf(table: Table, processor: string): { colours: Uint32Array; kinds: Kind[] } {
  const prefixes = [
    ...new Set(Array.from({ length: table.rows }, (_, row) => table.text('prefix', row) ?? '')),
  ]
    .filter((prefix) => prefix !== processor)
    .sort();
  const lost = lostComputations(table);
  const kinds = new Map<string, Kind>();
  const colours = Uint32Array.from({ length: table.rows }, (_, row) => {
    const action = table.text('action', row) ?? '';
    const prefix = table.text('prefix', row) ?? '';
    const place = prefixes.indexOf(prefix);
    const [label, colour] = isFailed(table, row)
      ? ['failed', '--act-fail']
      : lost[row] === 1
        ? ['repeated', '--ph-lost']
        : action === 'compute'
          ? [prefix, prefix === processor ? '--ph-process' : (palette[place] ?? '--pk-oth')]
          : [action, actionColours[action] ?? '--act-other'];
    const kind = kinds.get(label) ?? { label, colour, count: 0 };
    kind.count += 1;
    kinds.set(label, kind);
    return pixelOf(colour);
  });
  return { colours, kinds: [...kinds.values()].sort((a, b) => b.count - a.count) };
}

export interface TaskTrackProps {
  axis: TimeAxis;
  surface: Surface;
  /** the answer of `tasks`, not empty */
  table: Table;
}

/** The recorded task stream: what every thread of every worker did, when. */
export function TaskTrack({ axis, surface, table }: TaskTrackProps) {
  const generation = paletteGeneration.value;
  const fine = useAnswer(activeRunId.value, 'fine').table;
  const processor = String(fine?.notes.processor ?? '');
  const gantt = useMemo(
    () => ganttOf(table.numbers('lane'), table.numbers('t0'), table.numbers('t1')),
    [table],
  );
  const workers = useAnswer(activeRunId.value, 'workers').table;
  // a worker's name stands at its first thread
  const names = useMemo(() => {
    const lanes = new Array<string>(gantt.lanes).fill('');
    const named = new Set<string>();
    const rows = Array.from(table.numbers('lane'), (lane, row) => ({ lane, row }));
    for (const { lane, row } of rows.sort((a, b) => a.lane - b.lane)) {
      const worker = table.text('worker', row) ?? '';
      if (!workers || named.has(worker)) continue;
      named.add(worker);
      lanes[lane] = workerLabel(workers, worker);
    }
    return workers && lanes;
  }, [table, gantt, workers]);
  const { colours, kinds } = useMemo(
    () => kindsOf(table, processor),
    [table, generation, processor],
  );
  const barText = useMemo(() => (row: number) => [table.text('prefix', row) ?? ''], [table]);
  return (
    <TrackFrame
      id="tasks-stream"
      title="Task stream"
      unit={`${gantt.lanes} threads, recorded`}
      axis={axis}
      readOut={() => ['', '']}
      data={table}
      controls={
        <>
          <ul class="bar-legend bar-legend-named">
            {kinds.slice(0, 9).map((kind) => (
              <li key={kind.label}>
                <span class="legend-button">
                  <span class="swatch" style={{ background: cssColour(kind.colour) }} />
                  <span class="bar-legend-name">{kind.label}</span>
                </span>
                <span class="muted">{count(kind.count)}</span>
              </li>
            ))}
          </ul>
          <Segmented
            name="bar-kind"
            label="Bars as"
            options={[
              { id: 'chunks', title: 'Lanes' },
              { id: 'stack', title: 'Stacked' },
              { id: 'tasks', title: 'Tasks' },
            ]}
            value="tasks"
            onChange={(chosen) => {
              barKind.value = chosen as 'chunks' | 'stack' | 'tasks';
            }}
          />
        </>
      }
    >
      <GanttPlot
        id="tasks-stream"
        axis={axis}
        surface={surface}
        gantt={gantt}
        colours={colours}
        height={laneHeights(gantt.lanes)}
        laneName=""
        laneNames={names}
        barText={barText}
        tooltip={(row) => <TaskTooltip table={table} row={row} />}
        onPick={(row, point) => {
          if (row >= 0)
            showPinned(point.clientX, point.clientY, <TaskTooltip table={table} row={row} />);
        }}
        picked={-1}
        label={`${table.rows} actions of tasks on ${gantt.lanes} worker threads`}
      />
    </TrackFrame>
  );
}

function TaskTooltip({ table, row }: { table: Table; row: number }) {
  const number = (name: NumbersOf<'tasks'>) => table.number(name, row);
  const size = number('nbytes');
  return (
    <div class="chunk-tooltip" data-testid="task-tooltip">
      <b>{table.text('prefix', row)}</b> · {table.text('action', row)} ·{' '}
      {table.text('status', row) ?? ''}
      <br />
      {fixed(number('t0'), 2)} → {fixed(number('t1'), 2)}&#8201;s ·{' '}
      <b>{duration(number('duration'))}</b>
      <br />
      {table.text('worker', row)}
      {Number.isFinite(size) ? ` · result ${bytes(size)}` : ''}
      <br />
      <span class="path">{table.text('key', row)}</span>
      {table.text('exception', row) ? (
        <>
          <br />
          <b>{table.text('exception', row)}</b>
        </>
      ) : null}
    </div>
  );
}
