import { axisTicks, scaleOf } from './scales';
import { chartFont, textWidth } from './textWidth';
import type { CssPixels } from './useSize';

export interface BarAxisProps {
  /** where `width` ends, in the unit that is shown; the axis begins at zero */
  most: number;
  width: CssPixels;
  y: CssPixels;
  /** at the right end: what the axis counts in, or how much there is */
  end: string;
  pixelsPerTick: CssPixels;
  /** after each value */
  unit?: string;
  /** lines down to the values */
  marked?: boolean;
}

/** What stands between the last value and the text at the end. */
const room: CssPixels = 30;

/** The values beneath bars that lie from zero to the right. */
export function BarAxis({
  most,
  width,
  y,
  end,
  pixelsPerTick,
  unit = '',
  marked = false,
}: BarAxisProps) {
  const x = scaleOf({ lo: 0, hi: most, log: false }, 0, width);
  const free = width - textWidth(end, chartFont(11)) - room;
  const ticks = axisTicks(0, most, Math.max(2, Math.round(width / pixelsPerTick))).filter(
    (tick) => end === '' || x(tick.value) < free,
  );
  return (
    <g transform={`translate(0 ${y})`}>
      {ticks.map((tick) => (
        <g key={tick.value} transform={`translate(${x(tick.value)} 0)`}>
          {marked ? <path d="M0 0v4" stroke="var(--line-2)" /> : null}
          <text y={15} text-anchor={tick.value === 0 && end !== '' ? 'start' : 'middle'}>
            {tick.label}
            {unit}
          </text>
        </g>
      ))}
      <g transform={`translate(${width} 0)`}>
        {marked ? <path d="M0 0v4" stroke="var(--line-2)" /> : null}
        <text y={15} text-anchor="end">
          {end}
        </text>
      </g>
    </g>
  );
}
