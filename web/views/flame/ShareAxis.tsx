import { fixed } from '../../charts/format';
import { axisTicks } from '../../charts/ticks';
import type { Range } from '../../charts/timeAxis';
import { useSize } from '../../charts/useSize';

/** The share of the whole profile along the icicle. */
export function ShareAxis({ visible, endText }: { visible: Range; endText: string }) {
  const [ref, width] = useSize<HTMLDivElement>();
  const [begin, end] = visible;
  const ticks = axisTicks(begin * 100, end * 100, Math.max(2, Math.round(width / 110)));
  const x = (percent: number) => ((percent / 100 - begin) / (end - begin)) * width;
  const whole = end - begin > 0.999;
  return (
    <div ref={ref} class="flame-axis" aria-hidden="true">
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={18}>
          {ticks
            .filter((tick) => !whole || x(tick.value) < width - 180 || tick.value === 0)
            .map((tick) => (
              <text
                key={tick.value}
                x={x(tick.value)}
                y={12}
                text-anchor={x(tick.value) < 12 ? 'start' : x(tick.value) > width - 20 ? 'end' : 'middle'}
              >
                {tick.label}&#8201;%
              </text>
            ))}
          {whole ? (
            <text x={width} y={12} text-anchor="end">
              {fixed(100, 0)}&#8201;% {endText.startsWith('≈') ? endText : `= ${endText}`}
            </text>
          ) : null}
        </svg>
      ) : null}
    </div>
  );
}
