import { activityColour, activityLabel, isIdleActivity } from '../../domain/activities';
import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { percent } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { Panel } from '../common/Panel';
import { fineUnit } from './fineUnits';

export interface ActivityPanelProps {
  title: string;
  subtitle: string;
  /** of `fine_activities` */
  answer: Answer<'fine_activities'>;
  unit: string;
  context: string;
}

/** Sums per activity as bars: lengths compare where the slices of a pie do not. */
export function ActivityPanel(props: ActivityPanelProps) {
  const { title, subtitle, answer, unit, context } = props;
  const rows = rowsOf(answer.table).filter((row) => row.context === context);
  const print = fineUnit(unit);
  return (
    <Panel
      title={title}
      subtitle={
        rows[0]
          ? `${subtitle}, ${print.text(rows[0].total)}${unit === 'seconds' ? ' core-s' : ''}`
          : subtitle
      }
      answers={[answer]}
      data={answer.table?.where((row) => (answer.table?.text('context', row) ?? '') === context)}
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
          heads={[unit === 'seconds' ? 'core-s' : print.title, 'share']}
          label={`${title}: ${rows.map((row) => `${row.activity} ${print.text(row.value)}`).join(', ')}`}
          testId={`activity-${context}`}
        />
      )}
    </Panel>
  );
}
