import type { ComponentChildren } from 'preact';
import { type DrawOn, PlotCanvas } from './PlotCanvas';
import { PlotSurface, type SurfaceProps } from './PlotSurface';
import type { Plot } from './plot';

export interface FrameProps {
  plot: Plot;
  /** a sentence for those who do not see the picture */
  label: string;
  testId: string;
  /** false where the canvas has it */
  grid?: boolean;
  /** marks on canvas, beneath all others: where they are thousands */
  draw?: DrawOn;
  /** marks beneath the grid */
  under?: ComponentChildren;
  children: ComponentChildren;
  /** what the pointer and the keys do; without it the plot is a picture */
  surface?: SurfaceProps;
}

/**
 * Axes with their ticks, titles and grid around marks. The scales are d3's; d3-axis and d3-brush
 * are not used: they write into the page themselves, where Preact does, and know neither keys nor
 * readers of the screen.
 */
export function Frame({
  plot,
  label,
  testId,
  grid = true,
  draw,
  under,
  children,
  surface,
}: FrameProps) {
  const { width, height, margins } = plot;
  const { left, top } = margins;
  const fullHeight = height + top + margins.bottom;
  const place = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  const picture = surface
    ? {}
    : { role: 'img' as const, 'aria-label': label, 'data-testid': testId };
  return (
    <div ref={plot.box} class="frame" {...picture} style={{ height: `${fullHeight}px` }}>
      {draw ? <PlotCanvas draw={draw} width={width} height={height} opaque place={place} /> : null}
      {width > 0 ? (
        <svg width={left + width + margins.right} height={fullHeight} aria-hidden="true">
          <g transform={`translate(${left} ${top})`}>
            {under}
            <Axes plot={plot} grid={grid} />
            {children}
          </g>
          <text y={10} data-testid={`${testId}-y-title`}>
            {plot.yTitle}
          </text>
          <text
            x={left + width}
            y={fullHeight - 4}
            text-anchor="end"
            data-testid={`${testId}-x-title`}
          >
            {plot.xTitle}
          </text>
        </svg>
      ) : null}
      {surface ? (
        <PlotSurface {...surface} plot={plot} label={label} testId={testId} place={place} />
      ) : null}
    </div>
  );
}

/**
 * Horizontal lines with their values at the left, that of zero darker; the values of the other axis
 * below.
 */
function Axes({
  plot: { x, y, width, height, xTicks, yTicks },
  grid,
}: {
  plot: Plot;
  grid: boolean;
}) {
  return (
    <>
      {yTicks.map((tick) => (
        <g key={tick.value}>
          {grid ? (
            <path
              class={tick.value === 0 ? 'zero-line' : 'grid-line'}
              d={`M0 ${y(tick.value)}H${width}`}
            />
          ) : null}
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
