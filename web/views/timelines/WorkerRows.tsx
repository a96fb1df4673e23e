import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { workerLabel } from '../../domain/workers';
import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { bytes, count, duration, fixed, percent, significant } from '../../plot/format';
import { ganttOf } from '../../plot/gantt';
import { Swatch } from '../../plot/Legend';
import { at, largest } from '../../plot/numbers';
import { paletteGeneration } from '../../plot/palette';
import { pixelOf } from '../../plot/pixels';
import type { TimeAxis } from '../../plot/timeAxis';
import type { CssPixels } from '../../plot/useSize';
import { useAnswer } from '../../state/answers';
import { marked } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { toggleName } from '../../state/selection';
import { sortedRows, type TableColumn } from '../../ui/DataTable';
import { showPinned, tooltipOn } from '../../ui/tooltip';
import { BarKinds, laneHeights } from './ChunkTrack';
import { GanttPlot, type LaneMark } from './GanttPlot';
import type { Surface } from './surface';
import { isFolded, TrackFrame } from './TrackFrame';

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
function kindsOf(
  table: Table,
  processor: string,
  workers: readonly string[] | undefined,
): { colours: Uint32Array; kinds: Kind[] } {
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
    // those of other workers than a followed finding's are pale
    const isGhost = workers !== undefined && !workers.includes(table.text('worker', row) ?? '');
    return pixelOf(isGhost ? '--line-2' : colour);
  });
  return { colours, kinds: [...kinds.values()].sort((a, b) => b.count - a.count) };
}

/** Beyond so many rows none can be read. */
const rowsAtMost = 60;
const leastRow: CssPixels = 16;

export interface WorkerRowsProps {
  axis: TimeAxis;
  surface: Surface;
  /** the answer of `workers` */
  workers: Table<'workers'>;
  /** of `tasks`; without it a row shows when the worker was there */
  tasks: Table<'tasks'> | undefined;
}

/** A row for each worker: what it did when, and its numbers beside it, by which rows are sorted. */
export function WorkerRows({ axis, surface, workers, tasks }: WorkerRowsProps) {
  const [sort, setSort] = useState({ id: 'joined', descending: false });
  const columns = useMemo(() => workerColumns(workers), [workers]);
  const rows = useMemo(
    () => [...sortedRows(workers.rows, [joined(workers), ...columns], sort.id, sort.descending)],
    [workers, columns, sort],
  );
  const shown = rows.slice(0, rowsAtMost);
  const lanes = useMemo(
    () =>
      lanesOf(
        shown.map((row) => workers.text('worker', row) ?? ''),
        tasks,
      ),
    [workers, rows, tasks],
  );
  const gantt = useMemo(() => {
    const lane = tasks
      ? Array.from(tasks.numbers('lane'), (of) => lanes.places.get(of) ?? Number.NaN)
      : Array.from({ length: workers.rows }, (_, row) => shown.indexOf(row));
    return tasks
      ? ganttOf(lane, tasks.numbers('t0'), tasks.numbers('t1'), lanes.count)
      : ganttOf(lane, workers.numbers('first_seen'), workers.numbers('last_seen'), lanes.count);
  }, [workers, rows, tasks, lanes]);
  const generation = paletteGeneration.value;
  const fine = useAnswer(activeRunId.value, 'fine').table;
  const processor = String(fine?.notes.processor ?? '');
  const about = marked.value;
  const { colours, kinds } = useMemo(
    () =>
      tasks
        ? kindsOf(tasks, processor, about.workers)
        : { colours: new Uint32Array(workers.rows).fill(pixelOf('--act-exec')), kinds: [] },
    [tasks, workers, generation, processor, about],
  );
  const barText = useMemo(
    () => (row: number) => (tasks ? [tasks.text('prefix', row) ?? ''] : []),
    [tasks],
  );
  const marks = useMemo(
    () =>
      shown.flatMap((row, place) => {
        const lane = lanes.first[place] ?? 0;
        const next = lanes.first[place + 1] ?? lanes.count;
        // what a worker was seen to do may reach beyond the tick at which it was last seen
        const bars = gantt.end.subarray(at(gantt.laneStart, lane), at(gantt.laneStart, next));
        return marksOf(workers, row, lane, bars.length > 0 ? largest(bars) : 0);
      }),
    [workers, rows, lanes, gantt],
  );
  const height = Math.max(laneHeights(lanes.count), leastRow * shown.length);
  const heightOf = (place: number) =>
    (height * ((lanes.first[place + 1] ?? lanes.count) - (lanes.first[place] ?? 0))) / lanes.count;
  const away = isFolded('workers', false);
  return (
    <>
      <TrackFrame
        id="workers"
        title="Workers"
        unit={[
          tasks ? `${lanes.count} threads, recorded` : 'when they were there',
          rows.length > shown.length ? `the first ${shown.length} of ${rows.length}` : '',
        ]
          .filter(Boolean)
          .join(' · ')}
        axis={axis}
        readOut={() => ['', '']}
        data={tasks ?? workers}
        controls={
          <>
            {tasks ? <BarKinds shown="tasks" hasTasks /> : null}
            <SortButton column={joined(workers)} sort={sort} onSort={setSort} />
          </>
        }
      >
        <ul class="legend worker-legend">
          {kinds.slice(0, 9).map((kind) => (
            <li key={kind.label}>
              <Swatch colour={kind.colour} /> {kind.label}{' '}
              <span class="muted">{count(kind.count)}</span>
            </li>
          ))}
        </ul>
      </TrackFrame>
      {away ? null : (
        <div class="track-row worker-rows" data-testid="worker-rows">
          <div class="track-gutter worker-names" data-testid="worker-names">
            {shown.map((row, place) => (
              <span key={row} style={{ height: `${heightOf(place)}px` }}>
                <WorkerName workers={workers} row={row} />
              </span>
            ))}
          </div>
          <div>
            <GanttPlot
              id="workers"
              axis={axis}
              surface={surface}
              gantt={gantt}
              colours={colours}
              marks={marks}
              height={height}
              laneName={undefined}
              barText={barText}
              tooltip={(row) => (tasks ? <TaskTooltip table={tasks} row={row} /> : undefined)}
              onPick={(row, point) => {
                if (row >= 0 && tasks)
                  showPinned(point.clientX, point.clientY, <TaskTooltip table={tasks} row={row} />);
              }}
              picked={-1}
              label={
                tasks
                  ? `${tasks.rows} actions of tasks on ${lanes.count} worker threads`
                  : `when each of ${shown.length} workers was there`
              }
            />
          </div>
          <table class="worker-numbers" data-testid="worker-table">
            <thead>
              <tr>
                <th scope="col">Worker</th>
                {columns.map((column) => (
                  <th
                    key={column.id}
                    scope="col"
                    aria-sort={
                      sort.id === column.id
                        ? sort.descending
                          ? 'descending'
                          : 'ascending'
                        : undefined
                    }
                  >
                    <SortButton column={column} sort={sort} onSort={setSort} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, place) => (
                <tr key={row} style={{ '--row-height': `${heightOf(place)}px` }}>
                  <th scope="row">{workerLabel(workers, workers.text('worker', row) ?? '')}</th>
                  {columns.map((column) => (
                    <td key={column.id}>{column.cell(row)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

interface Sort {
  id: string;
  descending: boolean;
}

interface SortButtonProps {
  column: TableColumn;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

function SortButton({ column: { id, title, align, explain }, sort, onSort }: SortButtonProps) {
  const now = sort.id === id;
  return (
    <button
      type="button"
      class="sort-button"
      data-testid={`sort-${id}`}
      onClick={() => onSort({ id, descending: now ? !sort.descending : align === 'right' })}
      {...(explain ? tooltipOn(explain) : {})}
    >
      {title}
      {now ? (sort.descending ? ' ↓' : ' ↑') : ''}
    </button>
  );
}

/** A click narrows all views to the worker, a second one takes that back. */
function WorkerName({ workers, row }: { workers: Table<'workers'>; row: number }) {
  const address = workers.text('worker', row) ?? '';
  return (
    <button
      type="button"
      class="worker-name"
      title={address}
      onClick={() => toggleName('workers', address)}
    >
      {workerLabel(workers, address)}
    </button>
  );
}

const joined = (workers: Table<'workers'>): TableColumn => ({
  id: 'joined',
  title: 'in order of joining',
  align: 'left',
  cell: () => '',
  order: (row) => workers.number('first_seen', row),
});

/** The numbers that the run has of its workers. */
function workerColumns(workers: Table<'workers'>): TableColumn[] {
  const column = (
    id: 'times_median' | 'cpu_mean' | 'memory_peak' | 'executions' | 'lost',
    title: string,
    text: (value: number, row: number) => ComponentChildren,
  ): TableColumn[] => {
    const values = workers.numbers(id);
    if (!values.some(Number.isFinite)) return [];
    return [
      {
        id,
        title,
        align: 'right',
        order: (row) => at(values, row),
        cell: (row) => (Number.isFinite(at(values, row)) ? text(at(values, row), row) : '–'),
        explain: () => workers.column(id).formula,
      },
    ];
  };
  const isSlow = (row: number) => workers.number('slow', row) === 1;
  return [
    ...column('times_median', '× dataset', (value, row) => (
      <span class={isSlow(row) ? 'unlike' : ''} data-testid={isSlow(row) ? 'slow-worker' : ''}>
        {significant(value)}
      </span>
    )),
    ...column('cpu_mean', 'CPU', (value) => percent(value)),
    ...column('memory_peak', 'MiB', (value) => fixed(value / 2 ** 20, 0)),
    ...column('executions', 'tasks', (value) => fixed(value, 0)),
    ...column('lost', 'again', (value) => fixed(value, 0)),
  ];
}

/** When and how a worker came or went, beside the row's bars. */
function marksOf(
  workers: Table<'workers'>,
  row: number,
  lane: number,
  busyUntil: number,
): LaneMark[] {
  const number = (name: NumbersOf<'workers'>) => workers.number(name, row);
  const [first, last] = [number('first_seen'), number('last_seen')];
  const before = workers.text('restarted_from', row);
  const again = number('lost');
  const marks: LaneMark[] = [];
  if (number('joined_late') === 1) {
    const text = before ? `replaces ${workerLabel(workers, before)}` : 'joined';
    marks.push({
      lane,
      moment: first,
      sign: '▶',
      text: `${text} ${fixed(first, 1)} s`,
      ends: true,
    });
  }
  if (number('left_early') === 1) {
    const text =
      again > 0
        ? ` · ${count(again)} of ${count(number('executions'))} tasks had to run again`
        : '';
    marks.push({
      lane,
      moment: Math.max(last, busyUntil),
      sign: '✕',
      text: `left at ${fixed(last, 1)} s${text}`,
    });
  }
  return marks;
}

/** Where the threads of these workers stand, one beneath the other. */
function lanesOf(
  names: readonly string[],
  tasks: Table<'tasks'> | undefined,
): { places: Map<number, number>; first: number[]; count: number } {
  const threads = new Map<string, Set<number>>(names.map((name) => [name, new Set()]));
  for (let row = 0; row < (tasks?.rows ?? 0); row += 1)
    threads.get(tasks?.text('worker', row) ?? '')?.add(tasks?.number('lane', row) ?? Number.NaN);
  const places = new Map<number, number>();
  const first: number[] = [];
  let lanes = 0;
  for (const of of threads.values()) {
    first.push(lanes);
    [...of]
      .sort((a, b) => a - b)
      .forEach((lane, place) => {
        places.set(lane, lanes + place);
      });
    lanes += Math.max(1, of.size);
  }
  return { places, first, count: lanes };
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
