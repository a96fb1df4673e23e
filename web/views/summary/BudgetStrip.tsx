import { activityLabel } from '../../domain/activities';
import { type BudgetRows, mergedTasks, phaseSegment } from '../../domain/budget';
import { coreTimeScale, percent } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { StackedBar } from '../../plot/StackedBar';
import { useSize } from '../../plot/useSize';

const barHeight = 34;
/** Labels of narrower parts stand in the line below. */
const labelledFrom = 0.12;
const activitiesShown = 2;

/** The budget where room is short: one bar with its labels inside, the rest in one line. */
export function BudgetStrip({ rows }: { rows: BudgetRows }) {
  const [ref, width] = useSize<HTMLDivElement>();
  const sum = rows.phases.reduce((total, part) => total + Math.max(0, part.coreSeconds), 0);
  const whole = Math.max(rows.available?.coreSeconds ?? 0, sum);
  const { parts } = mergedTasks(rows.phases, whole);
  const segments = parts.map((part) => phaseSegment(part, coreTimeScale(whole)));
  const small = segments.filter(
    (segment) => segment.value > 0 && segment.value / whole < labelledFrom,
  );
  const activities = rows.activities
    .filter((part) => !part.id.endsWith('idle'))
    .slice(0, activitiesShown);
  const sentence = segments.map((segment) => `${segment.label} ${segment.shareText}`).join(', ');
  return (
    <div ref={ref} role="img" aria-label={sentence}>
      <svg aria-hidden="true" width={width} height={barHeight}>
        <StackedBar
          id="budget-strip"
          segments={segments.map((segment) => ({ ...segment, valueText: undefined }))}
          pixelsPerUnit={whole > 0 ? width / whole : 0}
          y={0}
          height={barHeight}
          lines="one"
        />
      </svg>
      <div class="budget-line">
        {activities.length > 0 ? (
          <span>
            By activity:{' '}
            {activities.map((part, index) => (
              <span key={part.id}>
                {index > 0 ? ' · ' : ''}
                {activityLabel(part.id.replace(/^activity:/, ''))}{' '}
                <b>{percent(part.coreSeconds / whole)}</b>
              </span>
            ))}
          </span>
        ) : null}
        <ul class="legend">
          {small.map((segment) => (
            <li key={segment.id}>
              <Swatch colour={segment.colour} hatched={segment.texture === 'hatched'} />
              {segment.label} <b>{percent(segment.value / whole)}</b>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
