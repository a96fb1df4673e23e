import { budgetRows, processorParts } from '../../domain/budget';
import { coreTime } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { decorator } from '../common/recording';
import { BudgetChart } from './BudgetChart';
import { BudgetStrip } from './BudgetStrip';

/** The centre of the summary: the available core-time, split by what it was spent on. */
export function BudgetPanel() {
  const answer = useAnswer(activeRunId.value, 'budget', selection.value);
  const { table } = answer;
  const rows = table ? budgetRows(table) : undefined;
  const available = rows?.available;
  // the row stays where it is while a range is dragged, and says why it is empty
  const whole = useAnswer(activeRunId.value, 'budget').table;
  const all = whole && budgetRows(whole);
  const dropped =
    isFiltered.value &&
    rows?.activities.length === 0 &&
    all !== undefined &&
    all.activities.length > 0;
  // a run without chunks or fine metrics needs less room than others
  const usual = !all || (processorParts(all).length > 1 && all.activities.length > 0);
  const activityNote = dropped
    ? 'not known for a selection: fine metrics are totals of the whole run'
    : '';
  const subtitle = [
    available && Number.isFinite(available.core_seconds)
      ? `${coreTime(available.core_seconds)} available`
      : '',
    noteText(answer, 'estimated') && 'estimated',
    // where nothing can be drawn, it is said in the picture's place
    rows && rows.phases.length === 0 ? '' : noteText(answer, 'selection'),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <Panel
      title="Where the core-time went"
      subtitle={subtitle}
      answers={[answer]}
      twin={table}
      testId="budget"
      className={usual && !embedded.value ? 'budget' : ''}
    >
      {rows && rows.phases.length > 0 ? (
        <>
          {embedded.value ? (
            <BudgetStrip rows={rows} />
          ) : (
            <BudgetChart rows={rows} activityNote={activityNote} />
          )}
          {noteText(answer, 'missing') ? <p class="muted">{noteText(answer, 'missing')}</p> : null}
        </>
      ) : null}
      {rows && rows.phases.length === 0 && noteText(answer, 'selection') ? (
        <Absent title="Not known for this selection" reason={noteText(answer, 'selection')} />
      ) : null}
      {rows && rows.phases.length === 0 && !noteText(answer, 'selection') ? (
        <Absent
          title="No core-time was recorded"
          reason={
            'Neither chunks nor fine metrics are in this bundle. roastcoffea’s metrics.json holds them when process() is decorated with @track_metrics and the run is wrapped in MetricsCollector.'
          }
          snippet={decorator}
          addable
        />
      ) : null}
    </Panel>
  );
}
