import { activityLabel } from '../../domain/activities';
import { type BudgetRows, mergedTasks, phaseLook, phaseSegment } from '../../domain/budget';
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
  const { whole } = rows;
  const { parts } = mergedTasks(rows);
  const segments = parts.map((part) => phaseSegment(part, coreTimeScale(whole)));
  const small = parts.filter((part) => part.share > 0 && part.share < labelledFrom);
  const activities = rows.activities
    .filter((part) => !part.part.endsWith('idle'))
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
              <span key={part.part}>
                {index > 0 ? ' · ' : ''}
                {activityLabel(part.label)} <b>{percent(part.share)}</b>
              </span>
            ))}
          </span>
        ) : null}
        <ul class="legend">
          {small.map((part) => {
            const { colour, texture } = phaseLook(part.part);
            return (
              <li key={part.part}>
                <Swatch colour={colour} hatched={texture === 'hatched'} />
                {part.label} <b>{percent(part.share)}</b>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
