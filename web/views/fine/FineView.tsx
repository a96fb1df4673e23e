import { useState } from 'preact/hooks';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { factOf } from '../common/facts';
import { noteText, Panel } from '../common/Panel';
import { collector } from '../common/recording';
import { Segmented } from '../common/Segmented';
import { ActivityPanel } from './ActivityPanel';
import { FunctionPanel } from './FunctionPanel';
import { otherContexts, unitsOf } from './fineRows';
import { Reading } from './Reading';

/** CPU, waiting, or Dask overhead? */
export function FineView() {
  const run = activeRunId.value;
  const answer = useAnswer(run, 'fine', selection.value);
  const summary = useAnswer(run, 'summary');
  const [wanted, setUnit] = useState('seconds');
  const { table } = answer;
  if (!table) {
    return (
      <section class={`panel ${answer.error ? '' : 'panel-waiting'}`} data-testid="view-fine">
        {answer.error ? <p class="refusal">{answer.error}</p> : null}
      </section>
    );
  }
  const units = unitsOf(table);
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
  const unit = units.includes(wanted) ? wanted : (units[0] ?? '');
  const availableFact = summary.table ? factOf(summary.table, 'core_seconds_available') : undefined;
  const available = unit === 'seconds' ? (availableFact?.value ?? Number.NaN) : Number.NaN;
  const note = noteText(answer, 'selection');
  return (
    <div data-testid="view-fine">
      <div class="toolbar">
        <span class="toolbar-field">
          Unit
          <Segmented
            name="unit"
            label="Unit"
            value={unit}
            onChange={setUnit}
            options={units.map((id) => ({ id, title: id === '' ? 'none' : id }))}
          />
        </span>
        {noteText(answer, 'processor') ? (
          <span class="toolbar-field">
            Processor prefix <b title={noteText(answer, 'processor_basis')}>{noteText(answer, 'processor')}</b>
          </span>
        ) : null}
        {noteText(answer, 'source') ? <span class="toolbar-field">from {noteText(answer, 'source')}</span> : null}
      </div>
      <div class="grid grid-even">
        <FunctionPanel answer={answer} unit={unit} available={available} note={note} />
        <ActivityPanel
          title="Task execution, by activity"
          subtitle="all functions"
          answer={answer}
          unit={unit}
          context="execute"
          available={available}
          absent="Nothing was recorded in this unit."
        />
        <ActivityPanel
          title="Send data, by activity"
          subtitle="whole cluster"
          answer={answer}
          unit={unit}
          context="get-data"
          available={Number.NaN}
          absent="Dask books the sending of data under no span, and roastcoffea saves the metrics of its span only. A dump of the scheduler’s cumulative worker metrics, added to the bundle, holds it."
        />
        <Panel title="What this says" className="span-4 half">
          <Reading table={table} />
        </Panel>
        {otherContexts(table, unit).map((context) => (
          <ActivityPanel
            key={context}
            title={context === '' ? 'Of unknown context' : context}
            subtitle="not part of task execution"
            answer={answer}
            unit={unit}
            context={context}
            available={Number.NaN}
            absent=""
          />
        ))}
      </div>
    </div>
  );
}
