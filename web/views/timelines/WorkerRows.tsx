import { useMemo, useState } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import { workerLabel } from '../../domain/workers';
import type { Seconds } from '../../engine/engine';
import type { NumbersOf } from '../../engine/questions';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { bytes, count, duration, fixed, listed } from '../../plot/format';
import { ganttOf } from '../../plot/gantt';
import { Swatch } from '../../plot/Legend';
import { at, largest } from '../../plot/numbers';
import { paletteGeneration } from '../../plot/palette';
import { pixelOf } from '../../plot/pixels';
import type { TimeAxis } from '../../plot/timeAxis';
import type { CssPixels } from '../../plot/useSize';
import { marked, markOf } from '../../state/finding';
import { toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { sortedRows, type TableColumn } from '../../ui/DataTable';
import { useMadeOf } from '../../ui/madeOf';
import { showPinned } from '../../ui/tooltip';
import { BarKinds, laneHeights } from './ChunkTrack';
import { GanttPlot, type LaneMark } from './GanttPlot';
import type { Surface } from './surface';
import { isFolded, TrackFrame } from './TrackFrame';
import { taskKinds } from './taskKinds';
import { joined, type Sort, SortButton, workerColumns } from './workerColumns';

/** As in timelines.css: names stand above their rows. */
const isNarrow = globalThis.innerWidth < 760;
/** Beyond so many rows none can be read; a phone would show nothing else. */
const rowsAtMost = isNarrow ? 16 : 60;
/** More are no picture: a canvas holds so many pixels. */
const mostPixels = 12_000;
/** Lanes without bars before those of a worker, where its name stands. */
const nameLanes = isNarrow ? 1 : 0;
const leastRow: CssPixels = 16;
/** Where there is nothing but when they were there, rows are as high as targets must be. */
const targetRow: CssPixels = 24;

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
  const columns = useMemo(() => workerColumns(workers), [workers]);
  const [sort, setSort] = useState(() => firstSort(workers, columns));
  const rows = useMemo(
    () => [...sortedRows(workers.rows, [joined(workers), ...columns], sort.id, sort.descending)],
    [workers, columns, sort],
  );
  const [most, setMost] = useState(rowsAtMost);
  const shown = rows.slice(0, most);
  const names = shown.map((row) => workers.text('worker', row) ?? '');
  const nameList = names.join('\n');
  const lanes = useMadeOf(tasks, 'lanes', () => lanesOf(names, tasks), [workers, nameList]);
  const gantt = useMadeOf(
    tasks,
    'gantt',
    () => {
      const lane = tasks
        ? tasks.numbers('lane').map((of) => lanes.places.get(of) ?? Number.NaN)
        : Array.from(
            { length: workers.rows },
            (_, row) => (lanes.first[shown.indexOf(row)] ?? Number.NaN) + nameLanes,
          );
      return tasks
        ? ganttOf(lane, tasks.numbers('t0'), tasks.numbers('t1'), lanes.count)
        : ganttOf(lane, workers.numbers('first_seen'), workers.numbers('last_seen'), lanes.count);
    },
    [workers, lanes],
  );
  const generation = paletteGeneration.value;
  const fine = useAnswer('fine').table;
  const processor = String(fine?.notes.processor ?? '');
  const about = marked.value;
  const { colourOf } = useDatasets();
  const { colours, kinds } = useMadeOf(
    tasks,
    'kinds',
    () =>
      tasks
        ? taskKinds(tasks, processor, about.workers, colourOf)
        : {
            colours: Uint32Array.from({ length: workers.rows }, (_, row) =>
              pixelOf(
                markOf({ workers: workers.text('worker', row) ?? '' }) === 'ghost'
                  ? '--line-2'
                  : '--act-exec',
              ),
            ),
            kinds: [],
          },
    [workers, generation, processor, about, colourOf],
  );
  const barText = useMemo(
    () => (row: number) =>
      tasks ? [tasks.text('dataset', row) || (tasks.text('prefix', row) ?? '')] : [],
    [tasks],
  );
  const marks = useMemo(
    () =>
      shown.flatMap((row, place) => {
        const worker = rowsOf(workers)[row];
        const lane = (lanes.first[place] ?? 0) + nameLanes;
        const next = lanes.first[place + 1] ?? lanes.count;
        const bars = [at(gantt.laneStart, lane), at(gantt.laneStart, next)] as const;
        const begins = gantt.begin.subarray(...bars);
        const busy = {
          from: begins.reduce((first, begin) => Math.min(first, begin), Number.POSITIVE_INFINITY),
          until: largest(gantt.end.subarray(...bars)),
        };
        return worker ? marksOfRow(workers, worker, lane, busy) : [];
      }),
    [workers, rows, lanes, gantt],
  );
  const threads = lanes.count - nameLanes * shown.length;
  const height = isNarrow
    ? Math.min(20 * lanes.count, Math.max(600, 2 * leastRow * shown.length))
    : tasks
      ? Math.max(laneHeights(lanes.count), leastRow * shown.length)
      : targetRow * shown.length;
  const heightOf = (place: number) =>
    (height * ((lanes.first[place + 1] ?? lanes.count) - (lanes.first[place] ?? 0))) / lanes.count;
  const minor = !tasks && workers.rows > rowsAtMost;
  const away = isFolded('workers', minor);
  return (
    <>
      <TrackFrame
        id="workers"
        title="Workers"
        unit={listed([
          tasks ? `${threads} threads, recorded` : 'when they were there',
          rows.length > shown.length ? `${shown.length} of ${rows.length} workers` : '',
        ])}
        axis={axis}
        minor={minor}
        readOut={() => ['', '']}
        data={tasks ?? workers}
        controls={
          <>
            {tasks ? <BarKinds shown="tasks" hasTasks /> : null}
            {rows.length > most && 2 * most * leastRow * devicePixelRatio < mostPixels ? (
              <Button class="link" onClick={() => setMost(most + rowsAtMost)}>
                {count(Math.min(rowsAtMost, rows.length - most))} more
              </Button>
            ) : null}
            <SortButton column={joined(workers)} sort={sort} onSort={setSort} />
          </>
        }
      >
        <ul class="legend small secondary worker-legend">
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
              <span
                key={row}
                class={markOf({ workers: workers.text('worker', row) ?? '' })}
                style={{ height: `${heightOf(place)}px` }}
              >
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
                  ? `${tasks.rows} actions of tasks on ${threads} worker threads`
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

/** In order of joining; where not all have room, by the worst, which must not be among those left out. */
const firstSort = (workers: Table<'workers'>, columns: readonly TableColumn[]): Sort =>
  workers.rows > rowsAtMost && columns[0]
    ? { id: columns[0].id, descending: true }
    : { id: 'joined', descending: false };

/** A click narrows all views to the worker, a second one takes that back. */
function WorkerName({ workers, row }: { workers: Table<'workers'>; row: number }) {
  const address = workers.text('worker', row) ?? '';
  return (
    <Button class="worker-name cut" title={address} onClick={() => toggleName('workers', address)}>
      {workerLabel(workers, address)}
    </Button>
  );
}

/** Where the threads of these workers stand, one beneath the other. */
function lanesOf(
  names: readonly string[],
  tasks: Table<'tasks'> | undefined,
): { places: Map<number, number>; first: number[]; count: number } {
  const threads = new Map<string, Set<number>>(names.map((name) => [name, new Set()]));
  if (tasks) {
    const sets = tasks.strings.map((name) => threads.get(name));
    const lane = tasks.numbers('lane');
    tasks.texts('worker').forEach((id, row) => {
      sets[id]?.add(lane[row] as number);
    });
  }
  const places = new Map<number, number>();
  const first: number[] = [];
  let lanes = 0;
  for (const of of threads.values()) {
    first.push(lanes);
    [...of]
      .sort((a, b) => a - b)
      .forEach((lane, place) => {
        places.set(lane, lanes + nameLanes + place);
      });
    lanes += nameLanes + Math.max(1, of.size);
  }
  return { places, first, count: lanes };
}

/** One action of a task: what, when, where. */
function TaskTooltip({ table, row }: { table: Table<'tasks'>; row: number }) {
  const number = (name: NumbersOf<'tasks'>) => table.number(name, row);
  const size = number('nbytes');
  return (
    <div class="chunk-tooltip" data-testid="task-tooltip">
      <b>{table.text('prefix', row)}</b> · {table.text('action', row)} ·{' '}
      {table.text('status', row) ?? ''}
      {table.text('dataset', row) ? ` · ${table.text('dataset', row)}` : ''}
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

/** Their coming and going in words, on the worker's row; its bars may reach beyond the ticks at which it was seen. */
export function marksOfRow(
  workers: Table<'workers'>,
  worker: Row<'workers'>,
  lane: number,
  busy: { from: Seconds; until: Seconds },
): LaneMark[] {
  const marks: LaneMark[] = [];
  if (worker.joined_late === 1) {
    const before = worker.restarted_from;
    const text = before ? `replaces ${workerLabel(workers, before)}` : 'joined';
    const moment = Math.min(worker.first_seen, busy.from);
    marks.push({ lane, moment, sign: '▶', text: `${text} ${fixed(moment, 1)} s`, ends: true });
  }
  if (worker.left_early === 1) {
    const { lost, executions, last_seen } = worker;
    const text = lost > 0 ? ` · ${count(lost)} of ${count(executions)} tasks had to run again` : '';
    marks.push({
      lane,
      moment: Math.max(last_seen, busy.until),
      sign: '✕',
      text: `left at ${fixed(last_seen, 1)} s${text}`,
    });
  }
  return marks;
}
