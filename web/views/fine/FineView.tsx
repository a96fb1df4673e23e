import { factOf } from '../../domain/facts';
import { useAnswer } from '../../state/answers';
import { chooseProcessor, processorOf } from '../../state/processor';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { collector } from '../common/recording';
import { ActivityPanel } from './ActivityPanel';
import { FineTools } from './FineTools';
import { FunctionPanel } from './FunctionPanel';
import { otherContexts, textsOf, unitsOf } from './fineRows';
import { hiddenActivities, hiddenContexts, show, unit as wantedUnit } from './fineState';
import { Reading } from './Reading';

/** The smallest of more become one row. */
const functionsShown = 20;

/** Data between workers, which is no part of a task's execution. */
const transfers = [
  { context: 'get-data', title: 'Send data, by activity', subtitle: 'get-data, whole cluster' },
  {
    context: 'gather-dep',
    title: 'Receive data, by activity',
    subtitle: 'gather-dep, whole cluster',
  },
];

const contextTitles: Record<string, string> = {
  '': 'Of unknown context',
  'memory-monitor': 'Memory monitor',
  p2p: 'Shuffle (p2p)',
};

/** CPU, waiting, or Dask overhead? */
export function FineView() {
  const run = activeRunId.value;
  const answer = useAnswer(run, 'fine', selection.value);
  const whole = useAnswer(run, 'fine');
  const summary = useAnswer(run, 'summary');
  const budget = useAnswer(run, 'budget');
  const units = whole.table ? unitsOf(whole.table) : [];
  const unit = units.includes(wantedUnit.value) ? wantedUnit.value : (units[0] ?? '');
  const availableFact = summary.table && factOf(summary.table, 'core_seconds_available');
  const available = unit === 'seconds' ? (availableFact?.value ?? Number.NaN) : Number.NaN;
  // a share of the cores' time needs both: seconds, and cores
  const shown = show.value === 'available' && !Number.isFinite(available) ? 'absolute' : show.value;
  const sums = {
    unit,
    ...(hiddenActivities.value.size > 0 ? { without: [...hiddenActivities.value].join(',') } : {}),
  };
  const asked = units.length > 0;
  const activities = useAnswer(run, asked ? 'fine_activities' : '', selection.value, sums);
  const functions = useAnswer(run, asked ? 'fine_functions' : '', selection.value, {
    ...sums,
    most: functionsShown,
    idle: shown === 'available' ? 'budget' : 'recorded',
  });
  const { table } = answer;
  if (!table || !whole.table || run === undefined) {
    const refusal = answer.error ?? whole.error;
    return (
      <section class={`panel ${refusal ? '' : 'panel-waiting'}`} data-testid="view-fine">
        {refusal ? <p class="refusal">{refusal}</p> : null}
        {refusal && run !== undefined && processorOf(run) !== undefined ? (
          <button type="button" class="button" onClick={() => chooseProcessor(run, undefined)}>
            Guess the processor prefix again
          </button>
        ) : null}
      </section>
    );
  }
  if (units.length === 0) {
    return (
      <section class="panel" data-testid="view-fine">
        <Absent
          centered
          title="No fine metrics in this bundle"
          reason={
            noteText(answer, 'missing') ||
            'Dask’s span metrics were not recorded. roastcoffea’s MetricsCollector records them in metrics.json under raw_span_metrics.'
          }
          snippet={collector}
          addable
        />
      </section>
    );
  }
  const visible = (context: string) => !hiddenContexts.value.has(context);
  const recorded = textsOf(whole.table, 'context');
  const noTransfers = !transfers.some(({ context }) => recorded.includes(context));
  const note = noteText(answer, 'selection');
  const common = { answer: activities, unit };
  return (
    <div data-testid="view-fine">
      <FineTools
        run={run}
        table={whole.table}
        units={units}
        unit={unit}
        show={shown}
        available={available}
      />
      <div class="grid grid-even">
        {visible('execute') ? (
          <>
            <FunctionPanel answer={functions} unit={unit} show={shown} note={note} />
            <ActivityPanel
              {...common}
              title="Task execution, by activity"
              subtitle="all functions"
              context="execute"
              ofAvailable={Number.isFinite(available)}
              absent="Nothing was recorded in this unit."
            />
          </>
        ) : null}
        {noTransfers ? (
          <Panel
            title="Sent and received data, by activity"
            className="span-4 half"
            testId="fine-transfers"
          >
            <p class="missing">not recorded</p>
            <p class="muted">
              Dask books the sending (get-data) and receiving (gather-dep) of data under no span,
              and roastcoffea saves the metrics of its span only. A dump of the scheduler’s
              cumulative worker metrics, added to the bundle, holds it.
            </p>
          </Panel>
        ) : (
          transfers
            .filter(({ context }) => visible(context))
            .map(({ context, title, subtitle }) => (
              <ActivityPanel
                {...common}
                key={context}
                title={title}
                subtitle={subtitle}
                context={context}
                absent="Nothing was recorded in this unit."
              />
            ))
        )}
        {otherContexts(activities.table)
          .filter(visible)
          .map((context) => (
            <ActivityPanel
              {...common}
              key={context}
              title={contextTitles[context] ?? context}
              subtitle="not part of task execution"
              context={context}
              absent=""
            />
          ))}
        <Panel
          title="What this says"
          className={noTransfers ? 'span-4' : 'span-12'}
          testId="fine-reading"
        >
          <Reading
            table={whole.table}
            summary={summary.table}
            budget={budget.table}
            late={noteText(whole, 'late')}
          />
        </Panel>
      </div>
    </div>
  );
}
