import { activityColour, activityLabel, isIdleActivity } from '../../domain/activities';
import { BarRows } from '../../plot/BarRows';
import { percent } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { Panel } from '../common/Panel';
import { activityRows, contextTable } from './fineRows';
import { fineUnit } from './fineUnits';

export interface ActivityPanelProps {
  title: string;
  subtitle: string;
  answer: Answer;
  unit: string;
  context: string;
  /** activities that are left out */
  hidden: ReadonlySet<string>;
  /** the whole of which shares are printed; NaN = the sum */
  available: number;
  /** why there may be nothing */
  absent: string;
}

/** Activities that Dask books only when they happen: that they are absent says something. */
const spilling = ['disk-read', 'disk-write'];

/** Sums per activity as bars: lengths compare where the slices of a pie do not. */
export function ActivityPanel(props: ActivityPanelProps) {
  const { title, subtitle, answer, unit, context, hidden, available, absent } = props;
  const rows = answer.table ? activityRows(answer.table, unit, context, hidden) : [];
  const print = fineUnit(unit);
  const most = Math.max(0, ...rows.map((row) => row.value));
  const sum = rows.reduce((total, row) => total + row.value, 0);
  const whole = Number.isFinite(available) ? available : sum;
  const unspilled =
    context === 'execute' && !spilling.some((name) => rows.some((row) => row.activity === name));
  return (
    <Panel
      title={title}
      subtitle={
        rows.length > 0
          ? `${subtitle}, ${print.text(sum)}${unit === 'seconds' ? ' core-s' : ''}`
          : subtitle
      }
      answers={[answer]}
      twin={answer.table && contextTable(answer.table, unit, context, hidden)}
      name={`fine-${context || 'other'}`}
      className="span-4 half"
      testId={`fine-activity-${context}`}
    >
      {rows.length === 0 ? (
        <>
          <p class="missing">not recorded</p>
          <p class="muted">{absent}</p>
        </>
      ) : (
        <BarRows
          rows={[
            ...rows.map((row) => ({
              id: row.activity,
              label: activityLabel(row.activity),
              share: most > 0 ? row.value / most : 0,
              colour: activityColour(row.activity),
              hatched: isIdleActivity(row.activity),
              texts: [print.text(row.value), whole > 0 ? percent(row.value / whole) : '–'],
            })),
            ...(unspilled
              ? [
                  {
                    id: 'spilling',
                    label: spilling.join(', '),
                    share: 0,
                    colour: '',
                    texts: ['not recorded', ''],
                  },
                ]
              : []),
          ]}
          heads={[
            unit === 'seconds' ? 'core-s' : print.title,
            Number.isFinite(available) ? 'of available' : 'share',
          ]}
          label={`${title}: ${rows.map((row) => `${row.activity} ${print.text(row.value)}`).join(', ')}`}
          testId={`activity-${context}`}
        />
      )}
    </Panel>
  );
}
