import { activityColour, activityLabel, isIdleActivity } from '../../domain/activities';
import { percent, significant } from '../../plot/format';
import { type BarSegment, StackedBar } from '../../plot/StackedBar';
import { useSize } from '../../plot/useSize';
import type { FunctionParts } from './fineRows';
import type { FineUnit } from './fineUnits';

/** Rows that would be too small to read get a second, magnified bar. */
const magnifiedBelow = 0.02;
const barHeight = 24;
const magnifierPixels = 480;

export interface FunctionBarsProps {
  parts: FunctionParts;
  /** what the right end of the row stands for, in the row's unit */
  axisEnd: number;
  print: FineUnit;
  magnify: boolean;
}

/**
 * One function's activities side by side; a small one once more, larger, with the factor written.
 */
export function FunctionBars({ parts, axisEnd, print, magnify }: FunctionBarsProps) {
  const [ref, width] = useSize<HTMLSpanElement>();
  const [{ function: name, total }] = parts;
  const perUnit = axisEnd > 0 ? width / axisEnd : 0;
  // the second bar and its factor need room beside the first
  const factor = magnify && width >= magnifierPixels ? magnification(total, axisEnd) : 1;
  // the magnified bar stands in the right two thirds, clear of the true one
  const left = width * 0.34;
  const room = width - left;
  return (
    <span ref={ref}>
      {width > 0 ? (
        <svg
          role="img"
          aria-label={parts.map((part) => `${part.activity} ${print.text(part.value)}`).join(', ')}
          width={width}
          height={barHeight + 4}
        >
          <StackedBar
            id={`fine-${name}`}
            segments={segmentsOf(parts, print)}
            pixelsPerUnit={perUnit}
            y={2}
            height={barHeight}
            lines={factor > 1 ? 'none' : 'one'}
          />
          {factor > 1 ? (
            <>
              <path
                d={`M${Math.max(4, total * perUnit + 4)} ${barHeight / 2 + 2}H${Math.max(total * perUnit + 6, left - 128)}`}
                stroke="var(--line-2)"
                stroke-dasharray="2 3"
              />
              <text x={left - 8} y={barHeight / 2 + 6} text-anchor="end">
                magnified {significant(factor, 2)}×
              </text>
              <g transform={`translate(${left} 0)`}>
                <StackedBar
                  id={`fine-large-${name}`}
                  segments={segmentsOf(parts, print)}
                  pixelsPerUnit={Math.min(perUnit * factor, room / total)}
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

/**
 * How much larger a small row is drawn once more: a power of two, so that factors can be compared;
 * 1 = not at all.
 */
function magnification(total: number, axisEnd: number): number {
  if (!(total > 0) || total >= magnifiedBelow * axisEnd) return 1;
  return 2 ** Math.floor(Math.log2((0.66 * axisEnd) / total));
}

function segmentsOf(parts: FunctionParts, print: FineUnit): BarSegment[] {
  return parts.map((part) => ({
    id: part.activity,
    label: '',
    value: part.value,
    colour: activityColour(part.activity),
    texture: isIdleActivity(part.activity) ? 'hatched' : 'solid',
    valueText: print.text(part.value),
    shareText: part.total > 0 && part.is_idle === 0 ? percent(part.share) : '',
    tooltip: () => (
      <>
        <div>
          <b>{activityLabel(part.activity)}</b> · {part.function}
        </div>
        <div>
          {print.text(part.value)} {print.title} · {part.total > 0 ? percent(part.share) : '–'} of
          the function
        </div>
      </>
    ),
  }));
}
