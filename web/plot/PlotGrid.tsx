import type { Tick } from './ticks';
import type { CssPixels } from './useSize';

export interface PlotGridProps {
  xTicks: readonly Tick[];
  yTicks: readonly Tick[];
  /** where a value stands in the plot, from its left and upper edge */
  x: (value: number) => CssPixels;
  y: (value: number) => CssPixels;
  width: CssPixels;
  height: CssPixels;
}

/** Horizontal lines with their values at the left, that of zero darker; the values of the other axis below. */
export function PlotGrid({ xTicks, yTicks, x, y, width, height }: PlotGridProps) {
  return (
    <>
      {yTicks.map((tick) => (
        <g key={tick.value}>
          <path class={tick.value === 0 ? 'zero-line' : 'grid-line'} d={`M0 ${y(tick.value)}H${width}`} />
          <text x={-6} y={y(tick.value) + 4} text-anchor="end">
            {tick.label}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text key={tick.value} x={x(tick.value)} y={height + 14} text-anchor="middle">
          {tick.label}
        </text>
      ))}
    </>
  );
}

export interface AxisTitlesProps {
  /** from the chart's left edge to the plot's */
  left: CssPixels;
  /** of the plot */
  width: CssPixels;
  /** of the chart */
  height: CssPixels;
  x: string;
  y: string;
  testId?: string;
}

/** What the axes are, with their units: at the two ends below the plot. */
export function AxisTitles({ left, width, height, x, y, testId }: AxisTitlesProps) {
  return (
    <>
      <text x={left} y={height - 4} data-testid={testId && `${testId}-y-title`}>
        {y}
      </text>
      <text x={left + width} y={height - 4} text-anchor="end" data-testid={testId && `${testId}-x-title`}>
        {x}
      </text>
    </>
  );
}
