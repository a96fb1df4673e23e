import {
  activityColour,
  activityLabel,
  activityRank,
  isIdleActivity,
} from '../../domain/activities';
import { noteNumber, type Row } from '../../engine/table';
import { BarAxis } from '../../plot/BarAxis';
import { count, percent } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { largest } from '../../plot/numbers';
import { useSize } from '../../plot/useSize';
import type { Answer } from '../../state/answers';
import { toggleName } from '../../state/selection';
import { Panel } from '../common/Panel';
import { FunctionBars } from './FunctionBars';
import { type FunctionParts, functionsOf } from './fineRows';
import type { Show } from './fineState';
import { type FineUnit, fineUnit } from './fineUnits';

export interface FunctionPanelProps {
  /** of `fine_functions` */
  answer: Answer<'fine_functions'>;
  unit: string;
  show: Show;
  note: string;
}

/** Which function spent what on which activity. */
export function FunctionPanel({ answer, unit, show, note }: FunctionPanelProps) {
  const rows = functionsOf(answer.table);
  const print = fineUnit(unit);
  const source = String(answer.table?.notes.source ?? '');
  const tasks = noteNumber(answer.table, 'in_tasks');
  const available = noteNumber(answer.table, 'available');
  const most = largest(rows.map(([row]) => row.total));
  const ofAvailable = show === 'available' || (show === 'absolute' && Number.isFinite(available));
  const share = (row: Row<'fine_functions'>) =>
    ofAvailable ? row.share_of_available : row.share_of_tasks;
  // what the end of the axis stands for, in the unit (in one function's own total when each fills
  // its row)
  const axisEnd =
    show === 'row'
      ? 1
      : show === 'absolute'
        ? most
        : Math.max(show === 'tasks' ? tasks : available, most);
  const shareTitle = ofAvailable ? 'of available' : 'of task time';
  const activities = [...new Set(rows.flatMap((parts) => parts.map((part) => part.activity)))].sort(
    (a, b) => activityRank(a) - activityRank(b),
  );
  const counted = rows.some(([row]) => Number.isFinite(row.tasks));
  const shares = show === 'absolute' && unit === 'seconds' && available > 0;
  return (
    <Panel
      title="Task execution, by function"
      subtitle={note || (source && <span title={source}>from {source.split('/').at(-1)}</span>)}
      answers={[answer]}
      twin={answer.table}
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
        <div class={counted ? 'function-rows with-tasks' : 'function-rows'}>
          <span class="head" />
          {shares ? (
            <AxisRow
              most={largest(rows.map(([row]) => row.share_of_available))}
              title="of available"
              percents
              above
            />
          ) : (
            <span class="head" />
          )}
          <span class="head value">{print.title}</span>
          <span class="head value">{unit === 'seconds' ? shareTitle : 'of all tasks'}</span>
          {counted ? (
            <>
              <span class="head value minor">tasks</span>
              <span class="head value minor">
                {unit === 'seconds' ? 's' : print.title} per task
              </span>
            </>
          ) : null}
          {rows.map((parts) => (
            <FunctionRow
              key={parts[0].function}
              parts={parts}
              axisEnd={show === 'row' ? parts[0].total : axisEnd}
              print={print}
              magnify={show === 'absolute'}
              counted={counted}
              share={
                parts[0].is_idle === 1 && (show === 'row' || show === 'tasks')
                  ? Number.NaN
                  : share(parts[0])
              }
            />
          ))}
          <span class="foot" />
          <AxisRow
            most={
              show === 'absolute'
                ? most
                : show === 'row'
                  ? 1
                  : Math.max(1, largest(rows.map(([row]) => share(row))))
            }
            title={axisTitle(show, print)}
            percents={show !== 'absolute'}
          />
          <span class="foot" />
          <span class="foot" />
          {counted ? (
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

interface FunctionRowProps {
  parts: FunctionParts;
  axisEnd: number;
  print: FineUnit;
  magnify: boolean;
  /** NaN = it has none */
  share: number;
  /** tasks were counted, of some functions at least */
  counted: boolean;
}

function FunctionRow({ parts, axisEnd, print, magnify, share, counted }: FunctionRowProps) {
  const [row] = parts;
  const { function: name, tasks } = row;
  const isIdle = row.is_idle === 1;
  return (
    <>
      <span class="name">
        {isIdle || row.functions > 1 ? (
          <b>{name}</b>
        ) : (
          <button type="button" class="bar-name" onClick={() => toggleName('prefixes', name)}>
            <b>{name || 'no prefix'}</b>
          </button>
        )}
        {row.is_processor === 1 ? <span class="muted">processor</span> : null}
        {isIdle ? (
          <span class="muted">{name === 'idle' ? 'available − tasks' : 'by subtraction'}</span>
        ) : null}
      </span>
      <FunctionBars parts={parts} axisEnd={axisEnd} print={print} magnify={magnify} />
      <span class="value" data-testid={`fine-total-${name}`}>
        {print.text(row.total)}
      </span>
      <span class="value">{Number.isFinite(share) ? percent(share) : '–'}</span>
      {counted ? (
        <>
          <span class="value minor" data-testid={`fine-tasks-${name}`}>
            {Number.isFinite(tasks) ? count(tasks) : '–'}
          </span>
          <span class="value minor" data-testid={`fine-per-task-${name}`}>
            {tasks > 0 ? print.text(row.per_task) : '–'}
          </span>
        </>
      ) : null}
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
