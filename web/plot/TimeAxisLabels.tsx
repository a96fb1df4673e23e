import { axisTicks, clockTicks } from './scales';
import type { Range } from './timeAxis';
import { type CssPixels, useSize } from './useSize';

export interface TimeAxisLabelsProps {
  range: Range;
  /** carried by the last tick */
  unit: string;
  /** naive epoch time of position 0: the labels are times of day */
  clock?: number | undefined;
  /** the plots stand above the labels, not below */
  below?: boolean;
}

const pixelsPerTick: CssPixels = 90;

/** The labels of a shared time axis. */
export function TimeAxisLabels({ range, unit, clock, below = false }: TimeAxisLabelsProps) {
  const [ref, width] = useSize<HTMLDivElement>();
  const [begin, end] = range;
  const wanted = Math.max(2, Math.round(width / pixelsPerTick));
  const ticks =
    clock === undefined ? axisTicks(begin, end, wanted) : clockTicks(begin, end, wanted, clock);
  return (
    <div ref={ref} class={below ? 'time-axis time-axis-below' : 'time-axis'} aria-hidden="true">
      {ticks.map((tick, index) => (
        <span key={tick.value} style={{ left: `${((tick.value - begin) / (end - begin)) * 100}%` }}>
          {index === ticks.length - 1 && clock === undefined
            ? `${tick.label}\u2009${unit}`
            : tick.label}
        </span>
      ))}
    </div>
  );
}
