import { useMemo } from 'preact/hooks';
import {
  activityColour,
  activityLabel,
  activityMeaning,
  activityRank,
  isIdleActivity,
} from '../../domain/activities';
import { noteNumber, type Row, rowsOf } from '../../engine/table';
import { count, duration, percent } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { cssColour } from '../../plot/palette';
import type { Answer } from '../../state/answers';
import { coreTimeSplit } from '../../state/coreTime';
import { markOf, openTab } from '../../state/finding';
import { toggleName } from '../../state/selection';
import { Button } from '../../ui/Button';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { Panel } from '../common/Panel';
import { useCoreTimeScale } from '../common/useCoreTimeScale';
import { type FunctionParts, functionsOf } from './fineRows';
import type { Show } from './fineState';
import { type FineUnit, fineUnit } from './fineUnits';

export interface FunctionPanelProps {
  /** of `fine_functions` */
  functions: Answer<'fine_functions'>;
  /** of `fine_activities` */
  activities: Answer<'fine_activities'>;
  unit: string;
  show: Show;
  note: string;
  /** what holds of all rows */
  caption: string;
}

/** Which function spent what on which activity: bars of one scale, so that lengths compare. */
export function FunctionPanel(props: FunctionPanelProps) {
  const { functions, activities, unit, show, note, caption } = props;
  const scale = useCoreTimeScale();
  const columns = useMemo(
    () =>
      columnsOf(
        functionsOf(functions.table),
        totalsOf(activities),
        {
          inTasks: noteNumber(functions.table, 'in_tasks'),
          share: noteNumber(functions.table, 'in_tasks_of_available'),
        },
        fineUnit(unit, scale),
        show,
      ),
    [functions.table, activities.table, unit, show, scale.unit],
  );
  const rows = functionsOf(functions.table);
  const source = String(functions.table?.notes.source ?? '');
  return (
    <Panel
      title="Task types and their activities"
      subtitle={note || (source && <span title={source}>from {source.split('/').at(-1)}</span>)}
      answers={[functions, activities]}
      data={functions.table}
      name="fine-functions"
      className="span-12"
      testId="fine-functions"
      actions={
        <Button
          class="link"
          data-testid="fine-to-summary"
          onClick={() => {
            coreTimeSplit.value = 'activities';
            openTab('summary');
          }}
        >
          Activities in Summary ›
        </Button>
      }
    >
      {rows.length === 0 ? (
        <p class="missing">{functions.table ? 'nothing was recorded in this unit' : '\u00a0'}</p>
      ) : (
        <DataTable
          columns={columns}
          rows={rows.length + 1}
          label="Task types and their activities"
          rowClass={(row) => {
            const [of] = rows[row - 1] ?? [];
            return of ? markOf({ prefixes: of.function }) : 'fine-all';
          }}
          onRow={(row) => {
            const [of] = rows[row - 1] ?? [];
            if (of && of.is_idle !== 1 && of.functions === 1) toggleName('prefixes', of.function);
          }}
          testId="fine-matrix"
        />
      )}
      {caption ? (
        <p class="plot-caption tiny muted" data-testid="fine-late">
          {caption}
        </p>
      ) : null}
    </Panel>
  );
}

/** Of task execution, over all functions: idle time is no activity of one. */
const totalsOf = (answer: Answer<'fine_activities'>) =>
  rowsOf(answer.table).filter((row) => row.context === 'execute' && !isIdleActivity(row.activity));

/** What stands in a cell, and how long its bar is; undefined = not recorded. */
interface Cell {
  value: number;
  text: string;
}

/** Row 0 is all functions together. */
function columnsOf(
  rows: readonly FunctionParts[],
  totals: readonly Row<'fine_activities'>[],
  all: { inTasks: number; share: number },
  unit: FineUnit,
  show: Show,
): TableColumn[] {
  type Part = Row<'fine_functions'> | Row<'fine_activities'>;
  const cellOf = (part: Part | undefined): Cell | undefined => {
    if (!part) return undefined;
    if (show === 'absolute') return { value: part.value, text: unit.text(part.value) };
    const value = show === 'row' ? part.share : part.share_of_available;
    return { value, text: percent(value) };
  };
  const names = [...new Set(totals.map((row) => row.activity))].sort(
    (a, b) => activityRank(a) - activityRank(b),
  );
  const cells = new Map(
    names.map((name) => [
      name,
      [
        cellOf(totals.find((row) => row.activity === name)),
        ...rows.map((parts) => cellOf(parts.find((part) => part.activity === name))),
      ],
    ]),
  );
  const most = largest([...cells.values()].flat().map((cell) => cell?.value ?? 0));
  const of = (row: number) => rows[row - 1]?.[0];
  const number = (
    id: string,
    title: string,
    value: (row: number) => number,
    text: (value: number) => string,
    testId: string,
    minor = false,
  ): TableColumn => ({
    id,
    title,
    align: 'right',
    minor,
    order: value,
    cell: (row) => (
      <span data-testid={`${testId}-${of(row)?.function ?? 'all'}`}>
        {Number.isFinite(value(row)) ? text(value(row)) : '–'}
      </span>
    ),
  });
  const isTime = unit.title.startsWith('core-');
  const hasTasks = rows.some(([row]) => Number.isFinite(row.tasks));
  const hasShares = rows.some(([row]) => Number.isFinite(row.total_of_available));
  return [
    {
      id: 'function',
      title: 'Task type',
      align: 'left',
      className: 'fine-name',
      cell: (row) => <FunctionName row={of(row)} />,
    },
    ...names.map(
      (name): TableColumn => ({
        id: name,
        title: activityLabel(name),
        align: 'left',
        ...(activityMeaning(name) ? { explain: () => activityMeaning(name) } : {}),
        order: (row) => cells.get(name)?.[row]?.value ?? Number.NaN,
        cell: (row) => (
          <Bar
            cell={cells.get(name)?.[row]}
            most={most}
            colour={activityColour(name)}
            testId={row === 0 ? `activity-execute-${name}` : undefined}
          />
        ),
      }),
    ),
    number('total', unit.title, (row) => of(row)?.total ?? all.inTasks, unit.text, 'fine-total'),
    ...(hasShares
      ? [
          number(
            'share',
            'of available',
            (row) => of(row)?.total_of_available ?? all.share,
            percent,
            'fine-share',
          ),
        ]
      : []),
    ...(hasTasks
      ? [
          number(
            'tasks',
            'tasks',
            (row) => of(row)?.tasks ?? Number.NaN,
            count,
            'fine-tasks',
            true,
          ),
          number(
            'per-task',
            isTime ? 'per task' : `${unit.title} per task`,
            (row) => of(row)?.per_task ?? Number.NaN,
            isTime ? duration : unit.text,
            'fine-per-task',
            true,
          ),
        ]
      : []),
  ];
}

function FunctionName({ row }: { row: Row<'fine_functions'> | undefined }) {
  if (!row) return <b>all tasks</b>;
  return (
    <>
      <b>{row.function || 'no prefix'}</b>
      {row.is_processor === 1 ? <span class="muted"> processor</span> : null}
      {row.is_idle === 1 ? <span class="muted"> available − tasks</span> : null}
    </>
  );
}

/** What is too short to be seen is a number alone. */
function Bar({
  cell,
  most,
  colour,
  testId,
}: {
  cell: Cell | undefined;
  most: number;
  colour: string;
  testId: string | undefined;
}) {
  if (!cell || !Number.isFinite(cell.value))
    return (
      <span class="muted" title="not recorded">
        –
      </span>
    );
  return (
    <span class="fine-cell" data-testid={testId}>
      <span
        class="cell-bar"
        style={{ '--length': cell.value / most, background: cssColour(colour) }}
      />
      {cell.text}
    </span>
  );
}
