import { percent } from '../../charts/format';
import { cssColour } from '../../charts/palette';
import type { Answer } from '../../state/answers';
import { Panel } from '../common/Panel';
import { activityColour, activityLabel, isIdleActivity } from './activities';
import { activityRows } from './fineRows';
import { fineUnit } from './fineUnits';

export interface ActivityPanelProps {
  title: string;
  subtitle: string;
  answer: Answer;
  unit: string;
  context: string;
  /** the whole of which shares are printed; NaN = the sum */
  available: number;
  /** why there may be nothing */
  absent: string;
}

/** Sums per activity as bars: lengths compare where the slices of a pie do not. */
export function ActivityPanel({ title, subtitle, answer, unit, context, available, absent }: ActivityPanelProps) {
  const rows = answer.table ? activityRows(answer.table, unit, context) : [];
  const print = fineUnit(unit);
  const most = Math.max(0, ...rows.map((row) => row.value));
  const whole = Number.isFinite(available) ? available : rows.reduce((sum, row) => sum + row.value, 0);
  return (
    <Panel
      title={title}
      subtitle={rows.length > 0 ? `${subtitle} · ${print.title}` : subtitle}
      answers={[answer]}
      twin={answer.table}
      className="span-4 half"
      testId={`fine-activity-${context}`}
    >
      {rows.length === 0 ? (
        <>
          <p class="missing">not recorded</p>
          <p class="muted">{absent}</p>
        </>
      ) : (
        <div class="activity-rows">
          {rows.map((row) => (
            <ActivityRow
              key={row.activity}
              activity={row.activity}
              share={most > 0 ? row.value / most : 0}
              value={print.text(row.value)}
              percentText={whole > 0 ? percent(row.value / whole) : '–'}
            />
          ))}
        </div>
      )}
    </Panel>
  );
}

interface ActivityRowProps {
  activity: string;
  share: number;
  value: string;
  percentText: string;
}

function ActivityRow({ activity, share, value, percentText }: ActivityRowProps) {
  const idle = isIdleActivity(activity);
  return (
    <>
      <span class="name">{activityLabel(activity)}</span>
      <span
        class={idle ? 'activity-bar hatched' : 'activity-bar'}
        style={{
          width: `${Math.max(0, share) * 100}%`,
          ...(idle ? {} : { background: cssColour(activityColour(activity)) }),
        }}
      />
      <span class="value">{value}</span>
      <span class="value muted">{percentText}</span>
    </>
  );
}
