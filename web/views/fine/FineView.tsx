import { activityColour, activityLabel, isIdleActivity } from '../../domain/activities';
import { factOf } from '../../domain/facts';
import { fullSentence } from '../../domain/sentenceCase';
import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { percent } from '../../plot/format';
import { chooseProcessor, processorOf } from '../../state/processor';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { type Answer, useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { Grid } from '../../ui/sight';
import { SectionsPanel } from '../chunks/SectionsPanel';
import { AbsentView } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { useCoreTimeScale } from '../common/useCoreTimeScale';
import { ViewVerdict } from '../common/ViewVerdict';
import { WholeRun } from '../common/WholeRun';
import { OwnFunctions } from '../flame/OwnFunctions';
import { FineTools } from './FineTools';
import { FunctionPanel } from './FunctionPanel';
import { otherContexts, textsOf, unitsOf } from './fineRows';
import { show, unit as wantedUnit } from './fineState';
import { fineUnit } from './fineUnits';
import { OverRunPanel } from './OverRunPanel';

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

const unsent =
  'Transfers between workers were not recorded: add a dump of the scheduler’s cumulative metrics.';

const contextTitles: Record<string, string> = {
  '': 'Unknown context',
  'memory-monitor': 'Memory monitor',
  p2p: 'Shuffle (p2p)',
};

/** CPU, waiting, or Dask overhead? */
export function FineView() {
  const run = activeRunId.value;
  const answer = useAnswer('fine', selection.value);
  const whole = useAnswer('fine');
  const summary = useAnswer('summary');
  const units = whole.table ? unitsOf(whole.table) : [];
  const unit = units.includes(wantedUnit.value) ? wantedUnit.value : (units[0] ?? '');
  const availableFact = summary.table && factOf(summary.table, 'core_seconds_available');
  const available = unit === 'seconds' ? (availableFact?.value ?? Number.NaN) : Number.NaN;
  // a share of the cores' time needs both: seconds, and cores
  const shown = show.value === 'available' && !Number.isFinite(available) ? 'absolute' : show.value;
  const sums = { unit };
  const asked = units.length > 0;
  const activities = useAnswer(asked ? 'fine_activities' : '', selection.value, sums);
  const functions = useAnswer(asked ? 'fine_functions' : '', selection.value, {
    ...sums,
    most: functionsShown,
    idle: 'budget',
  });
  const { table } = answer;
  if (!table || !whole.table || run === undefined) {
    const refusal = answer.error ?? whole.error;
    return (
      <section class={`panel ${refusal ? '' : 'panel-waiting'}`} data-testid="view-fine">
        {refusal ? <p class="refusal">{refusal}</p> : null}
        {refusal && run !== undefined && processorOf(run) !== undefined ? (
          <Button onClick={() => chooseProcessor(run, undefined)}>
            Guess the processor prefix again
          </Button>
        ) : null}
      </section>
    );
  }
  if (units.length === 0) {
    return (
      <AbsentView
        testId="view-fine"
        title="No fine metrics in this bundle"
        reason={
          noteText(answer, 'missing') ||
          'Dask’s span metrics were not recorded. roastcoffea’s MetricsCollector records them in metrics.json under raw_span_metrics.'
        }
        recordable
        addable
      />
    );
  }
  const recorded = textsOf(whole.table, 'context');
  const note = noteText(answer, 'selection');
  // tasks that measured themselves know of no worker's heartbeat and no transfer
  const late = noteText(whole, 'late');
  const common = { answer: activities, unit };
  return (
    <div class="stack" data-testid="view-fine">
      <ViewVerdict
        text={
          <>
            {noteText(whole, 'verdict')} {isFiltered.value ? <WholeRun /> : null}
          </>
        }
        limits={noteText(whole, 'limits')}
        testId="fine-verdict"
      />
      <FineTools
        run={run}
        table={whole.table}
        units={units}
        unit={unit}
        show={shown}
        available={available}
      />
      <Grid even>
        <FunctionPanel
          functions={functions}
          activities={activities}
          unit={unit}
          show={shown}
          note={note}
          caption={
            late &&
            `${fullSentence(late)} ${transfers.some(({ context }) => recorded.includes(context)) ? '' : unsent}`
          }
        />
        {unit === 'seconds' ? (
          <>
            <div class="stack span-7">
              <OverRunPanel />
              <SectionsPanel className="" />
            </div>
            <Panel title="By your function" className="span-5" testId="fine-own">
              <OwnFunctions none="Not recorded: a profile shows which functions took the time." />
            </Panel>
          </>
        ) : null}
        {transfers
          .filter(({ context }) => recorded.includes(context))
          .map(({ context, title, subtitle }) => (
            <ActivityPanel
              {...common}
              key={context}
              title={title}
              subtitle={subtitle}
              context={context}
            />
          ))}
        {otherContexts(activities.table).map((context) => (
          <ActivityPanel
            {...common}
            key={context}
            title={contextTitles[context] ?? context}
            subtitle="not part of task execution"
            context={context}
          />
        ))}
      </Grid>
    </div>
  );
}

interface ActivityPanelProps {
  title: string;
  subtitle: string;
  /** of `fine_activities` */
  answer: Answer<'fine_activities'>;
  unit: string;
  context: string;
}

/** Sums per activity as bars: lengths compare where the slices of a pie do not. */
function ActivityPanel(props: ActivityPanelProps) {
  const { title, subtitle, answer, unit, context } = props;
  const rows = rowsOf(answer.table).filter((row) => row.context === context);
  const print = fineUnit(unit, useCoreTimeScale());
  return (
    <Panel
      title={title}
      subtitle={
        rows[0]
          ? `${subtitle}, ${print.text(rows[0].total)}${unit === 'seconds' ? ` ${print.title}` : ''}`
          : subtitle
      }
      answers={[answer]}
      data={answer.table?.picked(
        rowsOf(answer.table).flatMap((row, at) => (row.context === context ? at : [])),
      )}
      name={`fine-${context || 'other'}`}
      className="span-4 half"
      testId={`fine-activity-${context}`}
    >
      {rows.length === 0 ? (
        <p class="missing">nothing was recorded in this unit</p>
      ) : (
        <BarRows
          rows={rows.map((row) => ({
            id: row.activity,
            label: activityLabel(row.activity),
            value: row.value,
            colour: activityColour(row.activity),
            hatched: isIdleActivity(row.activity),
            texts: [print.text(row.value), Number.isFinite(row.share) ? percent(row.share) : '–'],
          }))}
          heads={[print.title, 'share']}
          label={`${title}: ${rows.map((row) => `${row.activity} ${print.text(row.value)}`).join(', ')}`}
          testId={`activity-${context}`}
        />
      )}
    </Panel>
  );
}
