import { phaseLook, phaseRank } from '../../domain/budget';
import { BarAxis } from '../../plot/BarAxis';
import { coreTimePart, coreTimeScale, partsText, percent, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { type BarSegment, StackedBar } from '../../plot/StackedBar';
import { chartFont, textWidth } from '../../plot/textWidth';
import { useSize } from '../../plot/useSize';
import { tooltipOn } from '../../ui/tooltip';
import { ChangeTooltip } from './ChangeTooltip';
import { type Change, deltaText, perOf } from './changes';

const barHeight = 34;
const between = 26;
const left = 24;

export interface BudgetsChartProps {
  split: { total: Change; parts: Change[] };
}

/** Two bars from one zero; between them each part's way from A to B and its change. */
export function BudgetsChart({ split }: BudgetsChartProps) {
  const [ref, width] = useSize<HTMLDivElement>();
  const plot = Math.max(1, width - left - 2);
  const { total } = split;
  const whole = Math.max(total.a, total.b, 0);
  const parts = [...split.parts].sort((x, y) => rank(x) - rank(y) || most(y) - most(x));
  const perUnit = whole > 0 ? plot / whole : 0;
  const given = perOf(total);
  const isShare = given === 'share';
  const scale = coreTimeScale(whole);
  const text = (value: number) => (isShare ? '' : partsText([coreTimePart(value, scale)]));
  const bar = (side: 'a' | 'b'): BarSegment[] =>
    parts.map((part) => ({
      id: `${side}-${part.id.replace(/^budget\./, '')}`,
      label: part.label,
      value: amount(part[side]),
      ...phaseLook(part.id.replace(/^budget\./, '')),
      valueText: text(amount(part[side])),
      shareText:
        total[side] > 0
          ? percent(isShare ? amount(part[side]) : amount(part[side]) / total[side])
          : '',
      tooltip: () => <ChangeTooltip change={part} />,
    }));
  const bottom = barHeight + between + barHeight;
  const divisor = isShare ? 0.01 : scale.divisor;
  const unit = isShare
    ? '% of available'
    : given === 'absolute'
      ? scale.unit
      : `${scale.unit} per 10⁶ events`;
  return (
    <div ref={ref} class="budgets" role="img" aria-label={sentence(total, parts)}>
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={bottom + 20}>
          {(['a', 'b'] as const).map((side, row) => (
            <text
              key={side}
              class="row-side"
              x={0}
              y={row * (barHeight + between) + barHeight / 2 + 5}
            >
              {side.toUpperCase()}
            </text>
          ))}
          <g transform={`translate(${left} 0)`}>
            <Ways parts={parts} perUnit={perUnit} />
            <StackedBar
              id="budget-a"
              segments={bar('a')}
              pixelsPerUnit={perUnit}
              y={0}
              height={barHeight}
              lines="one"
            />
            <StackedBar
              id="budget-b"
              segments={bar('b')}
              pixelsPerUnit={perUnit}
              y={barHeight + between}
              height={barHeight}
              lines="one"
            />
            <BarAxis
              most={whole / divisor}
              width={whole * perUnit}
              y={bottom}
              end={unit}
              pixelsPerTick={160}
            />
          </g>
        </svg>
      ) : null}
    </div>
  );
}

/** The ribbons, with the changes that find room. */
function Ways({ parts, perUnit }: { parts: readonly Change[]; perUnit: number }) {
  let fromA = 0;
  let fromB = 0;
  let taken = 0;
  const top = barHeight;
  const low = barHeight + between;
  return (
    <>
      {parts.map((part) => {
        const a = fromA;
        const b = fromB;
        fromA += amount(part.a) * perUnit;
        fromB += amount(part.b) * perUnit;
        const look = phaseLook(part.id.replace(/^budget\./, ''));
        const label = shortDelta(part);
        const room = textWidth(label, chartFont(11, 600)) + 10;
        const middle = (a + b + fromA + fromB) / 4;
        // from left to right, and none over another
        const shown =
          part.delta !== 0 && Math.max(fromA - a, fromB - b) > 3 && middle - room / 2 >= taken;
        if (shown) taken = middle + room / 2;
        return (
          <g key={part.id} class="mark" {...tooltipOn(() => <ChangeTooltip change={part} />)}>
            <path
              d={`M${a} ${top}L${b} ${low}H${fromB}L${fromA} ${top}Z`}
              fill={cssColour(look.colour)}
              fill-opacity={0.16}
            />
            {shown ? (
              <text
                class={part.noteworthy === 0 ? 'way-text faint' : 'way-text'}
                x={middle}
                y={top + between / 2 + 4}
                text-anchor="middle"
                data-testid={`way-${part.id.replace(/^budget\./, '')}`}
              >
                {label}
              </text>
            ) : null}
          </g>
        );
      })}
    </>
  );
}

/** The axis names the unit. */
const shortDelta = (part: Change): string => deltaText(part).replace('/10⁶ events', '');

const amount = (value: number): number => (value > 0 ? value : 0);
const most = (part: Change): number => Math.max(amount(part.a), amount(part.b));
const rank = (part: Change): number => phaseRank(part.id.replace(/^budget\./, ''));

const sentence = (total: Change, parts: readonly Change[]): string =>
  `Core-time of A ${significant(total.a)} and of B ${significant(total.b)}; ${parts
    .filter((part) => part.delta !== 0)
    .map((part) => `${part.label} ${deltaText(part)}`)
    .join(', ')}`;
