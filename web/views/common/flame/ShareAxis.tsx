import { fixed } from '../../../plot/format';
import { axisTicks } from '../../../plot/scales';
import type { Range } from '../../../plot/timeAxis';
import { useSize } from '../../../plot/useSize';
import { type Amounts, amountText, momentText } from './amounts';

export interface ShareAxisProps {
  visible: Range;
  of: Amounts;
  /**
   * in the profile's unit, where the boxes stand in the order of time: the axis says when, not
   * which share
   */
  time: Range | undefined;
}

const percent = (label: string): string => `${label}\u2009%`;

/** The share of the whole profile along the icicle, or the time since the profile's begin. */
export function ShareAxis({ visible, of, time }: ShareAxisProps) {
  const [ref, width] = useSize<HTMLDivElement>();
  const [begin, end] = visible;
  const [from, to] = time ?? [0, 100];
  const at = (share: number) => from + share * (to - from);
  const ticks =
    width > 0 ? axisTicks(at(begin), at(end), Math.max(2, Math.round(width / 110))) : [];
  const x = (value: number) => ((value - at(begin)) / (at(end) - at(begin))) * width;
  const whole = end - begin > 0.999;
  const endText = time
    ? momentText(of, to)
    : `${percent(fixed(100, 0))} = ${amountText(of, of.total)}`;
  return (
    <div ref={ref} class="flame-axis" aria-hidden="true" data-testid="flame-axis">
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={18}>
          {ticks
            .filter((tick) => !whole || x(tick.value) < width - 180 || tick.value === from)
            .map((tick) => (
              <text
                key={tick.value}
                x={x(tick.value)}
                y={12}
                text-anchor={
                  x(tick.value) < 12 ? 'start' : x(tick.value) > width - 20 ? 'end' : 'middle'
                }
              >
                {time ? momentText(of, tick.value) : percent(tick.label)}
              </text>
            ))}
          {whole ? (
            <text x={width} y={12} text-anchor="end">
              {endText}
            </text>
          ) : null}
        </svg>
      ) : null}
    </div>
  );
}
