import { percent, significant } from '../../charts/format';
import { Legend } from '../../charts/Legend';
import { type BarSegment, StackedBar } from '../../charts/StackedBar';
import { axisTicks } from '../../charts/ticks';
import { useSize } from '../../charts/useSize';
import type { Answer } from '../../state/answers';
import { Panel } from '../common/Panel';
import { activityColour, activityLabel, activityRank, isIdleActivity } from './activities';
import { type FunctionRow, functionRows } from './fineRows';
import { type FineUnit, fineUnit } from './fineUnits';

export interface FunctionPanelProps {
  answer: Answer;
  unit: string;
  /** core-seconds that were there; NaN = unknown, or another unit */
  available: number;
  note: string;
}

/** Rows that would be too small to read get a second, magnified bar. */
const magnifiedBelow = 0.02;
const barHeight = 24;
const magnifierPixels = 480;

/** Which function spent what on which activity. */
export function FunctionPanel({ answer, unit, available, note }: FunctionPanelProps) {
  const rows = answer.table ? functionRows(answer.table, unit) : [];
  const print = fineUnit(unit);
  const most = Math.max(0, ...rows.map((row) => row.total));
  const activities = [...new Set(rows.flatMap((row) => row.parts.map((part) => part.activity)))].sort(
    (a, b) => activityRank(a) - activityRank(b),
  );
  return (
    <Panel
      title="Task execution, by function"
      subtitle={note}
      answers={[answer]}
      twin={answer.table}
      className="span-12"
      testId="fine-functions"
      actions={
        <Legend
          entries={activities.map((activity) => ({
            id: activity,
            label: activityLabel(activity),
            colour: activityColour(activity),
            hatched: isIdleActivity(activity),
          }))}
        />
      }
    >
      {rows.length === 0 ? <p class="missing">nothing was recorded in this unit</p> : null}
      {rows.length > 0 ? (
        <div class="function-rows" role="img" aria-label={sentence(rows, print)}>
          <span class="head" />
          <span class="head" />
          <span class="head value">{print.title}</span>
          <span class="head value">{Number.isFinite(available) ? 'of available' : 'share'}</span>
          {rows.map((row) => (
            <Row
              key={row.prefix}
              row={row}
              most={most}
              print={print}
              whole={Number.isFinite(available) ? available : sumOf(rows)}
            />
          ))}
          <span class="foot" />
          <AxisRow most={most} title={print.title} />
          <span class="foot" />
          <span class="foot" />
        </div>
      ) : null}
    </Panel>
  );
}

const sumOf = (rows: readonly FunctionRow[]): number => rows.reduce((sum, row) => sum + row.total, 0);

function sentence(rows: readonly FunctionRow[], print: FineUnit): string {
  return rows.map((row) => `${row.prefix} ${print.text(row.total)} ${print.title}`).join(', ');
}

interface RowProps {
  row: FunctionRow;
  most: number;
  print: FineUnit;
  whole: number;
}

function Row({ row, most, print, whole }: RowProps) {
  return (
    <>
      <span class="name">
        <b>{row.prefix}</b>
        {row.isProcessor ? <span class="muted">processor</span> : null}
        {row.isIdle ? <span class="muted">by subtraction</span> : null}
      </span>
      <Bars row={row} most={most} print={print} />
      <span class="value" data-testid={`fine-total-${row.prefix}`}>
        {print.text(row.total)}
      </span>
      <span class="value">{whole > 0 ? percent(row.total / whole) : '–'}</span>
    </>
  );
}

function Bars({ row, most, print }: Omit<RowProps, 'whole'>) {
  const [ref, width] = useSize<HTMLSpanElement>();
  const perUnit = most > 0 ? width / most : 0;
  // the second bar and its factor need room beside the first
  const factor = width >= magnifierPixels ? magnification(row.total, most) : 1;
  // the magnified bar stands in the right two thirds, clear of the true one
  const left = width * 0.34;
  const room = width - left;
  return (
    <span ref={ref}>
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={barHeight + 4}>
          <StackedBar
            id={`fine-${row.prefix}`}
            segments={segmentsOf(row, print)}
            pixelsPerUnit={perUnit}
            y={2}
            height={barHeight}
            lines={factor > 1 ? 'none' : 'one'}
          />
          {factor > 1 ? (
            <>
              <path
                d={`M${Math.max(4, row.total * perUnit + 4)} ${barHeight / 2 + 2}H${Math.max(row.total * perUnit + 6, left - 128)}`}
                stroke="var(--line-2)"
                stroke-dasharray="2 3"
              />
              <text x={left - 8} y={barHeight / 2 + 6} text-anchor="end">
                magnified {significant(factor, 2)}×
              </text>
              <g transform={`translate(${left} 0)`}>
                <StackedBar
                  id={`fine-large-${row.prefix}`}
                  segments={segmentsOf(row, print)}
                  pixelsPerUnit={Math.min(perUnit * factor, room / row.total)}
                  y={4}
                  height={barHeight - 4}
                  lines="one"
                />
              </g>
            </>
          ) : null}
        </svg>
      ) : null}
    </span>
  );
}

/** How much larger a small row is drawn once more: a power of two, so that factors can be compared; 1 = not at all. */
function magnification(total: number, most: number): number {
  if (!(total > 0) || total >= magnifiedBelow * most) return 1;
  return 2 ** Math.floor(Math.log2((0.66 * most) / total));
}

function segmentsOf(row: FunctionRow, print: FineUnit): BarSegment[] {
  return row.parts.map((part) => ({
    id: part.activity,
    label: '',
    value: part.value,
    colour: activityColour(part.activity),
    texture: isIdleActivity(part.activity) ? 'hatched' : 'solid',
    valueText: print.text(part.value),
    shareText: row.total > 0 && !row.isIdle ? percent(part.value / row.total) : '',
    tooltip: () => (
      <>
        <div>
          <b>{activityLabel(part.activity)}</b> · {row.prefix}
        </div>
        <div>
          {print.text(part.value)} {print.title} · {row.total > 0 ? percent(part.value / row.total) : '–'} of the row
        </div>
      </>
    ),
  }));
}

function AxisRow({ most, title }: { most: number; title: string }) {
  const [ref, width] = useSize<HTMLSpanElement>();
  const perUnit = most > 0 ? width / most : 0;
  const ticks = axisTicks(0, most, Math.max(2, Math.round(width / 140)));
  return (
    <span ref={ref} class="foot">
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={18}>
          {ticks.map((tick) => (
            <text key={tick.value} x={tick.value * perUnit} y={13} text-anchor={tick.value === 0 ? 'start' : 'middle'}>
              {tick.label}
            </text>
          ))}
          {(ticks.at(-1)?.value ?? 0) * perUnit < width - 70 ? (
            <text x={width} y={13} text-anchor="end">
              {title}
            </text>
          ) : null}
        </svg>
      ) : null}
    </span>
  );
}
