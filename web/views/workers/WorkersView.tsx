import { useMemo } from 'preact/hooks';
import { workerLabel } from '../../domain/workers';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { fixed, percent, significant } from '../../plot/format';
import { Sparkline } from '../../plot/Sparkline';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { useTableHeight } from '../../ui/useExpanded';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { collector } from '../common/recording';
import { ViewVerdict } from '../common/ViewVerdict';
import { Life } from './Life';
import { SpreadPanel } from './SpreadPanel';

const sparkBins = 48;

/** Which worker was unlike the others, and why? */
export function WorkersView() {
  const run = activeRunId.value;
  const answer = useAnswer(run, 'workers', selection.value);
  const cpu = useAnswer(run, 'worker_matrix', {}, { series: 'cpu_share', bins: sparkBins });
  const tasks = useAnswer(run, 'tasks');
  const { table } = answer;
  if (!table) return <div class="panel panel-waiting" data-testid="view-workers" />;
  if (table.rows === 0 && !selection.value.workers && !selection.value.time) {
    return (
      <section class="panel" data-testid="view-workers">
        <Absent
          centered
          title="No workers in this bundle"
          reason={noteText(answer, 'missing') || 'No worker was recorded.'}
          snippet={collector}
          addable
        />
      </section>
    );
  }
  return (
    <div class="stack" data-testid="view-workers">
      <ViewVerdict
        text={noteText(answer, 'verdict')}
        limits={noteText(answer, 'limits')}
        testId="workers-verdict"
      />
      <Panel
        title="Workers"
        subtitle="click a row to see that worker alone"
        answers={[answer]}
        data={table}
        testId="workers"
      >
        <WorkerTable table={table} cpu={cpu.table} tasks={tasks.table} />
      </Panel>
      <SpreadPanel />
    </div>
  );
}

interface WorkerTableProps {
  table: Table<'workers'>;
  cpu: Table<'worker_matrix'> | undefined;
  tasks: Table<'tasks'> | undefined;
}

function WorkerTable({ table, cpu, tasks }: WorkerTableProps) {
  const maxHeight = useTableHeight(560);
  const columns = useMemo(() => columnsOf(table, cpu, tasks), [table, cpu, tasks]);
  return (
    <DataTable
      columns={columns}
      rows={table.rows}
      label="Workers"
      sortedBy={table.numbers('times_median').some(Number.isFinite) ? 'pace' : 'first'}
      descending={table.numbers('times_median').some(Number.isFinite)}
      maxHeight={maxHeight}
      onRow={(row) => toggleName('workers', table.text('worker', row) ?? '')}
      testId="worker-table"
    />
  );
}

function columnsOf(
  table: Table<'workers'>,
  cpu: Table<'worker_matrix'> | undefined,
  tasks: Table<'tasks'> | undefined,
): TableColumn[] {
  const rows = rowsOf(table);
  const of = (row: number) => rows[row] as Row<'workers'>;
  const name = (row: number) => workerLabel(table, of(row).worker);
  const has = (column: keyof Row<'workers'>) =>
    rows.some((row) => Number.isFinite(row[column] as number));
  const number = (
    id: string,
    title: string,
    column: NumberColumn,
    text: (value: number) => string,
    more: Partial<TableColumn> = {},
  ): TableColumn[] =>
    has(column)
      ? [
          {
            id,
            title,
            align: 'right',
            order: (row) => of(row)[column],
            cell: (row) => (Number.isFinite(of(row)[column]) ? text(of(row)[column]) : '–'),
            explain: () => table.column(column).formula,
            ...more,
          },
        ]
      : [];
  return [
    {
      id: 'worker',
      title: 'Worker',
      align: 'left',
      order: name,
      cell: (row) => (
        <span title={of(row).worker}>
          <b>{name(row)}</b>
        </span>
      ),
    },
    {
      id: 'first',
      title: 'Arrived, left',
      align: 'left',
      order: (row) => of(row).first_seen,
      cell: (row) => <Life worker={of(row)} whole={rows} tasks={tasks} />,
    },
    {
      id: 'course',
      title: 'CPU over time',
      align: 'left',
      minor: true,
      className: 'spare',
      cell: (row) => <Course worker={of(row).worker} cpu={cpu} />,
    },
    ...number('cpu', 'CPU', 'cpu_mean', percent),
    ...number('executing', 'executing', 'executing_mean', (value) => significant(value)),
    {
      id: 'memory',
      title: 'peak MiB, of limit',
      align: 'right',
      order: (row) => of(row).memory_peak,
      cell: (row) => <Memory worker={of(row)} />,
    },
    ...number('executions', 'executions', 'executions', (value) => fixed(value, 0), {
      minor: true,
      className: 'spare',
    }),
    ...number('lost', 'repeated', 'lost', (value) => fixed(value, 0)),
    ...number('pace', '× median, same datasets', 'times_median', (value) => significant(value), {
      cell: (row) => {
        const { times_median, slow } = of(row);
        if (!Number.isFinite(times_median)) return '–';
        return (
          <span class={slow === 1 ? 'unlike' : ''} data-testid={slow === 1 ? 'slow-worker' : ''}>
            {significant(times_median)}
          </span>
        );
      },
    }),
    {
      id: 'why',
      title: 'stands out because',
      align: 'left',
      cell: (row) => reasons(of(row)).join(', '),
    },
  ];
}

type NumberColumn = 'cpu_mean' | 'executing_mean' | 'executions' | 'lost' | 'times_median';

/** In words what the marks of a row say. */
function reasons(worker: Row<'workers'>): string[] {
  return [
    worker.slow === 1 ? 'slow chunks' : '',
    worker.lost > 0 && worker.left_early === 1 ? 'left while its results were needed' : '',
    worker.lost === 0 && worker.left_early === 1 ? 'left early' : '',
    worker.restarted_from ? 'replacement' : '',
  ].filter(Boolean);
}

function Memory({ worker }: { worker: Row<'workers'> }) {
  const { memory_peak: peak, memory_limit: limit } = worker;
  if (!Number.isFinite(peak)) return <>–</>;
  return (
    <span class="worker-memory">
      {limit > 0 ? <meter min={0} max={limit} value={peak} /> : null}
      {fixed(peak / 2 ** 20, 0)}
    </span>
  );
}

function Course({ worker, cpu }: { worker: string; cpu: Table<'worker_matrix'> | undefined }) {
  const row = cpu?.rowOf('worker', worker) ?? -1;
  if (!cpu || row < 0) return null;
  const values = cpu.numbers('cpu_share');
  const width = values.length / cpu.rows;
  return (
    <Sparkline
      values={Array.from(values.subarray(row * width, (row + 1) * width))}
      label="CPU over the whole run"
    />
  );
}
