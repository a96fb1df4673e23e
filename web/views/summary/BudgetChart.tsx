import {
  activitySegment,
  type BudgetPart,
  type BudgetRows,
  mergedTasks,
  phaseSegment,
  processorParts,
} from '../../domain/budget';
import { BarAxis } from '../../plot/BarAxis';
import { coreTime, coreTimeScale, percent } from '../../plot/format';
import { placeLeaders } from '../../plot/leaders';
import { type BarSegment, StackedBar } from '../../plot/StackedBar';
import { chartFont, textWidth } from '../../plot/textWidth';
import { useSize } from '../../plot/useSize';

/** room for the bracket, where there is one */
const bracketHeight = 26;
const barHeight = 46;
const leaderRow = 16;
const activityHeight = 18;
/** labels of smaller parts stand below the bar, and of those that are too narrow for their names */
const leaderBelow = 0.03;
const nameMargin = 10;

export interface BudgetChartProps {
  rows: BudgetRows;
  /** why the run's activities are not known here; '' when they are, or were not recorded */
  activityNote?: string;
}

/**
 * Phases and activities on one axis of core-seconds, so that each bar can be read against the
 * other.
 */
export function BudgetChart({ rows, activityNote = '' }: BudgetChartProps) {
  const [ref, width] = useSize<HTMLDivElement>();
  const narrow = width < 640;
  const left = narrow ? 0 : 112;
  const plot = Math.max(1, width - left - 2);
  const available = rows.available?.core_seconds ?? Number.NaN;
  // when the parts exceed what was available, the excess is shown past the end, not scaled away
  const { whole } = rows;
  const perUnit = plot / whole;
  // one unit for all that stands on this axis
  const scale = coreTimeScale(whole);
  const { parts, merged } = mergedTasks(rows);
  const phases = parts.map((part) =>
    explained(phaseSegment(part, scale), part, part.part === 'task:others' ? merged : []),
  );
  const activities = rows.activities.map((part) => explained(activitySegment(part, scale), part));

  const processor = processorParts(rows);
  const busy = rows.processorSeconds;
  const bracket = processor.length > 1 && busy * perUnit > 200;
  const barTop = bracket ? bracketHeight : 4;
  const phaseLeaders = leadersOf(phases, whole, perUnit, plot);
  const phaseLeaderRows = Math.max(0, ...phaseLeaders.map((leader) => leader.row + 1));
  const activityTop =
    barTop + barHeight + phaseLeaderRows * leaderRow + (phaseLeaderRows > 0 ? 12 : 16);
  const axisTop =
    activities.length > 0 || activityNote
      ? activityTop + activityHeight
      : barTop + barHeight + phaseLeaderRows * leaderRow + 4;
  const height = axisTop + 20;
  const endText =
    Number.isFinite(available) && whole <= available
      ? `${coreTime(available, scale)} available`
      : coreTime(whole, scale);

  return (
    <div ref={ref} class="budget-rows" role="img" aria-label={sentence(rows)}>
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={height}>
          {narrow ? null : (
            <>
              <RowName y={barTop + barHeight / 2} name="By phase" detail={phaseSource(rows)} />
              {activities.length > 0 || activityNote ? (
                <RowName
                  y={activityTop + activityHeight / 2}
                  name="By activity"
                  detail="fine metrics"
                />
              ) : null}
            </>
          )}
          <g transform={`translate(${left} 0)`}>
            {bracket ? (
              <Bracket
                width={busy * perUnit}
                text={`Processor tasks executing ${percent(rows.processorShare)}`}
              />
            ) : null}
            <StackedBar
              id="budget-phase"
              segments={phases.map((segment) =>
                phaseLeaders.some((leader) => leader.id === segment.id)
                  ? unnamed(segment)
                  : segment,
              )}
              pixelsPerUnit={perUnit}
              y={barTop}
              height={barHeight}
              lines="two"
            />
            {phaseLeaders.map((leader) => {
              const y = barTop + barHeight + 12 + leader.row * leaderRow;
              return (
                <g key={leader.id}>
                  <path
                    class="leader"
                    d={`M${leader.fromX} ${barTop + barHeight + 1}V${y}H${leader.textX + (leader.anchor === 'end' ? 3 : -3)}`}
                  />
                  <text x={leader.textX} y={y + 4} text-anchor={leader.anchor}>
                    {leader.text}
                  </text>
                </g>
              );
            })}
            {activities.length > 0 ? (
              <StackedBar
                id="budget-activity"
                segments={activities}
                pixelsPerUnit={perUnit}
                y={activityTop}
                height={activityHeight}
                lines="one"
              />
            ) : activityNote ? (
              <text class="row-note" y={activityTop + activityHeight / 2 + 4}>
                {activityNote}
              </text>
            ) : null}
            <BarAxis
              most={whole / scale.divisor}
              width={whole * perUnit}
              y={axisTop}
              end={endText}
              pixelsPerTick={180}
              marked
            />
          </g>
        </svg>
      ) : null}
    </div>
  );
}

/** Which recordings the phases rest on. */
function phaseSource(rows: BudgetRows): string {
  const hasChunks = rows.phases.some((part) => part.part === 'inside_process');
  return [hasChunks && 'chunks', rows.activities.length > 0 && 'spans'].filter(Boolean).join(' + ');
}

function explained(
  segment: BarSegment,
  part: BudgetPart,
  merged: readonly BudgetPart[] = [],
): BarSegment {
  return {
    ...segment,
    tooltip: () => (
      <>
        <div>
          <b>{segment.label}</b>
        </div>
        <div>
          {coreTime(part.core_seconds)}
          {Number.isFinite(part.fraction) ? ` · ${percent(part.fraction)} of available` : ''}
        </div>
        {merged.map((task) => (
          <div key={task.part}>
            {task.label}: {coreTime(task.core_seconds)}
          </div>
        ))}
        <div class="muted">{part.source}</div>
        {part.shortfall > 0 ? (
          <div class="muted">
            It came out {coreTime(part.shortfall)} below zero and is shown as 0.
          </div>
        ) : null}
      </>
    ),
  };
}

/** What is said below the bar is not said in it. */
const unnamed = (segment: BarSegment): BarSegment => ({
  ...segment,
  label: '',
  valueText: '',
  shareText: '',
  shortLabel: '',
});

function leadersOf(segments: readonly BarSegment[], whole: number, perUnit: number, plot: number) {
  const font = chartFont(11);
  let begin = 0;
  const texts = new Map<string, string>();
  const requests = segments.flatMap((segment) => {
    const middle = (begin + segment.value / 2) * perUnit;
    begin += segment.value;
    const named =
      textWidth(segment.shortLabel ?? segment.label, chartFont(12, 600)) + nameMargin <
      segment.value * perUnit;
    if (!(segment.value > 0) || (named && segment.value / whole >= leaderBelow)) return [];
    const text = `${segment.label} ${segment.valueText ?? ''}${segment.shareText ? ` · ${segment.shareText}` : ''}`;
    texts.set(segment.id, text);
    return [{ id: segment.id, x: middle, width: textWidth(text, font) }];
  });
  return placeLeaders(requests, plot).map((leader) => ({
    ...leader,
    text: texts.get(leader.id) ?? '',
  }));
}

function RowName({ y, name, detail }: { y: number; name: string; detail: string }) {
  return (
    <>
      <text class="row-name" x={0} y={y - 3}>
        {name}
      </text>
      <text class="row-sub" x={0} y={y + 11}>
        {detail}
      </text>
    </>
  );
}

function Bracket({ width, text }: { width: number; text: string }) {
  const font = chartFont(12);
  const half = textWidth(text, font) / 2 + 6;
  return (
    <g>
      <path
        class="bracket"
        d={`M0.5 22V14.5H${width / 2 - half}M${width / 2 + half} 14.5H${width - 1}V22`}
      />
      <text x={width / 2} y={18} text-anchor="middle" style={{ fontSize: '12px' }}>
        {text}
      </text>
    </g>
  );
}

function sentence(rows: BudgetRows): string {
  const parts = rows.phases
    .map((part) => `${part.label} ${coreTime(part.core_seconds)}`)
    .join(', ');
  return rows.available ? `Of ${coreTime(rows.available.core_seconds)} available: ${parts}` : parts;
}
