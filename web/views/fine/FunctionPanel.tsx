import {
  activityColour,
  activityLabel,
  activityRank,
  isIdleActivity,
} from '../../domain/activities';
import type { Table } from '../../engine/table';
import { BarAxis } from '../../plot/BarAxis';
import { count, percent } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { useSize } from '../../plot/useSize';
import type { Answer } from '../../state/answers';
import { toggleName } from '../../state/selection';
import { Panel } from '../common/Panel';
import { FunctionBars } from './FunctionBars';
import { contextTable, type FunctionRow, functionRows, tasksByPrefix } from './fineRows';
import type { Show } from './fineState';
import { type FineUnit, fineUnit } from './fineUnits';

export interface FunctionPanelProps {
  answer: Answer;
  /** the answer of `task_prefixes`: how many tasks each function had, where that is known */
  counts: Table | undefined;
  unit: string;
  /** activities that are left out */
  hidden: ReadonlySet<string>;
  /** core-seconds that were there; NaN = unknown, or another unit */
  available: number;
  /** core-seconds of them in which no task ran; NaN = unknown, or another unit */
  idle: number;
  show: Show;
  note: string;
}

/** Which function spent what on which activity. */
export function FunctionPanel({
  answer,
  counts,
  unit,
  hidden,
  available,
  idle,
  show,
  note,
}: FunctionPanelProps) {
  const recorded = answer.table ? functionRows(answer.table, unit, hidden) : [];
  const rows = show === 'available' ? withIdle(recorded, idle) : recorded;
  const print = fineUnit(unit);
  const source = String(answer.table?.notes.source ?? '');
  const tasks = recorded.filter((row) => !row.isIdle).reduce((sum, row) => sum + row.total, 0);
  const most = Math.max(0, ...rows.map((row) => row.total));
  const whole = {
    absolute: Number.isFinite(available) ? available : tasks,
    row: 1,
    tasks,
    available,
  }[show];
  // what the end of the axis stands for, in the unit (in one function's own total when each fills
  // its row)
  const axisEnd = show === 'row' ? 1 : show === 'absolute' ? most : Math.max(whole, most);
  const shareTitle =
    show === 'absolute' && Number.isFinite(available)
      ? 'of available'
      : show === 'available'
        ? 'of available'
        : 'of task time';
  const activities = [
    ...new Set(rows.flatMap((row) => row.parts.map((part) => part.activity))),
  ].sort((a, b) => activityRank(a) - activityRank(b));
  const tasksOf = tasksByPrefix(counts);
  const shares = show === 'absolute' && unit === 'seconds' && available > 0;
  return (
    <Panel
      title="Task execution, by function"
      subtitle={note || (source && <span title={source}>from {source.split('/').at(-1)}</span>)}
      answers={[answer]}
      twin={answer.table && contextTable(answer.table, unit, 'execute', hidden)}
      name="fine-functions"
      className="span-12"
      testId="fine-functions"
      actions={
        <Legend
          entries={activities.map((activity) => ({
            id: activity,
            label: activityLabel(activity),
            colour: activityColour(activity),
            hatched: isIdleActivity(activity),
          }))}
        />
      }
    >
      {rows.length === 0 ? <p class="missing">nothing was recorded in this unit</p> : null}
      {rows.length > 0 ? (
        <div class={tasksOf.size > 0 ? 'function-rows with-tasks' : 'function-rows'}>
          <span class="head" />
          {shares ? (
            <AxisRow most={most / available} title="of available" percents above />
          ) : (
            <span class="head" />
          )}
          <span class="head value">{print.title}</span>
          <span class="head value">{unit === 'seconds' ? shareTitle : 'of all tasks'}</span>
          {tasksOf.size > 0 ? (
            <>
              <span class="head value minor">tasks</span>
              <span class="head value minor">
                {unit === 'seconds' ? 's' : print.title} per task
              </span>
            </>
          ) : null}
          {rows.map((row) => (
            <Row
              key={row.prefix}
              row={row}
              axisEnd={show === 'row' ? row.total : axisEnd}
              print={print}
              magnify={show === 'absolute'}
              tasks={tasksOf.size > 0 ? (tasksOf.get(row.prefix) ?? Number.NaN) : undefined}
              share={
                show === 'row' || show === 'tasks'
                  ? row.isIdle
                    ? Number.NaN
                    : row.total / tasks
                  : row.total / whole
              }
            />
          ))}
          <span class="foot" />
          <AxisRow
            most={show === 'absolute' ? most : show === 'row' ? 1 : axisEnd / whole}
            title={axisTitle(show, print)}
            percents={show !== 'absolute'}
          />
          <span class="foot" />
          <span class="foot" />
          {tasksOf.size > 0 ? (
            <>
              <span class="foot minor" />
              <span class="foot minor" />
            </>
          ) : null}
        </div>
      ) : null}
    </Panel>
  );
}

const axisTitle = (show: Show, print: FineUnit): string =>
  ({
    absolute: print.title,
    row: 'of the function',
    tasks: 'of all tasks',
    available: 'of available core-time',
  })[show];

/**
 * Of the available core-time the idle part is one, counted by the budget; Dask's own stands in its
 * place otherwise.
 */
function withIdle(rows: readonly FunctionRow[], idle: number): FunctionRow[] {
  const tasks = rows.filter((row) => !row.isIdle);
  if (!Number.isFinite(idle)) return [...rows];
  const row: FunctionRow = {
    prefix: 'idle',
    isProcessor: false,
    isIdle: true,
    parts: [{ activity: 'idle', value: idle }],
    total: idle,
  };
  return [...tasks, row].sort((a, b) => b.total - a.total || (a.prefix < b.prefix ? -1 : 1));
}

interface RowProps {
  row: FunctionRow;
  axisEnd: number;
  print: FineUnit;
  magnify: boolean;
  /** NaN = it has none */
  share: number;
  /** NaN = not known of this function, undefined = of none */
  tasks: number | undefined;
}

function Row({ row, axisEnd, print, magnify, share, tasks }: RowProps) {
  return (
    <>
      <span class="name">
        {row.isIdle || row.isRest ? (
          <b>{row.prefix}</b>
        ) : (
          <button type="button" class="bar-name" onClick={() => toggleName('prefixes', row.prefix)}>
            <b>{row.prefix || 'no prefix'}</b>
          </button>
        )}
        {row.isProcessor ? <span class="muted">processor</span> : null}
        {row.isIdle ? (
          <span class="muted">
            {row.prefix === 'idle' ? 'available − tasks' : 'by subtraction'}
          </span>
        ) : null}
      </span>
      <FunctionBars row={row} axisEnd={axisEnd} print={print} magnify={magnify} />
      <span class="value" data-testid={`fine-total-${row.prefix}`}>
        {print.text(row.total)}
      </span>
      <span class="value">{Number.isFinite(share) ? percent(share) : '–'}</span>
      {tasks === undefined ? null : (
        <>
          <span class="value minor" data-testid={`fine-tasks-${row.prefix}`}>
            {Number.isFinite(tasks) ? count(tasks) : '–'}
          </span>
          <span class="value minor" data-testid={`fine-per-task-${row.prefix}`}>
            {tasks > 0 ? print.text(row.total / tasks) : '–'}
          </span>
        </>
      )}
    </>
  );
}

interface AxisRowProps {
  /** where the axis ends */
  most: number;
  title: string;
  percents?: boolean;
  above?: boolean;
}

function AxisRow({ most, title, percents = false, above = false }: AxisRowProps) {
  const [ref, width] = useSize<HTMLSpanElement>();
  return (
    <span ref={ref} class={above ? 'head axis' : 'foot axis'}>
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={18}>
          <BarAxis
            most={percents ? 100 * most : most}
            width={width}
            y={-2}
            end={title}
            pixelsPerTick={140}
            unit={percents ? '\u2009%' : ''}
          />
        </svg>
      ) : null}
    </span>
  );
}
