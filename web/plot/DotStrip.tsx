import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import type { HistogramMark } from './Histogram';
import { cssColour } from './palette';
import { type CssPixels, useSize } from './useSize';
import { axisOf, shareOf, ticksOf } from './valueAxis';

export interface Dot {
  id: number;
  value: number;
  colour: string;
}

export interface DotStripProps {
  dots: readonly Dot[];
  marks: readonly HistogramMark[];
  /** with the shown unit */
  title: string;
  factor: number;
  log?: boolean;
  height: CssPixels;
  hovered?: number | undefined;
  onHover?: ((id: number | undefined) => void) | undefined;
  tooltip: (id: number) => ComponentChildren;
  label: string;
  testId: string;
}

const radius: CssPixels = 5;
const margin: CssPixels = 14;
const bottom: CssPixels = 34;

/** A dot per value, for so few values that bins would hide them. Dots that would cover each other are stacked. */
export function DotStrip(props: DotStripProps) {
  const { dots, marks, title, factor, log = false, height, hovered, onHover, tooltip, label, testId } = props;
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const width = Math.max(0, fullWidth - 2 * margin);
  const plotHeight = height - bottom;
  const axis = axisOf(
    dots.map((dot) => dot.value),
    log,
  );
  const x = (value: number) => shareOf(axis, value) * width;
  const levels = new Map<number, number>();
  const placed = [...dots]
    .sort((a, b) => a.value - b.value || a.id - b.id)
    .map((dot) => {
      const column = Math.round(x(dot.value) / (2 * radius));
      const level = levels.get(column) ?? 0;
      levels.set(column, level + 1);
      return { ...dot, level };
    });
  return (
    <div ref={box} role="img" aria-label={label} data-testid={testId} style={{ height: `${height}px` }}>
      {width > 0 ? (
        <svg width={fullWidth} height={height} aria-hidden="true">
          <g transform={`translate(${margin} 0)`}>
            <path class="zero-line" d={`M0 ${plotHeight}H${width}`} />
            {ticksOf(axis, width, factor, 64).map((tick) => (
              <text key={tick.value} x={x(tick.value)} y={plotHeight + 14} text-anchor="middle">
                {tick.label}
              </text>
            ))}
            {marks.map((mark) => (
              <path
                key={mark.label}
                class="value-line"
                stroke-dasharray={mark.dash}
                d={`M${x(mark.value)} 0V${plotHeight}`}
              />
            ))}
            {placed.map((dot) => (
              <g
                key={dot.id}
                onPointerOver={onHover && (() => onHover(dot.id))}
                onPointerOut={onHover && (() => onHover(undefined))}
              >
                <circle
                  class={dot.id === hovered ? 'strip-dot hovered' : 'strip-dot'}
                  cx={x(dot.value)}
                  cy={Math.max(radius, plotHeight - radius - 2 - dot.level * 2 * radius)}
                  r={radius - 0.5}
                  style={{ fill: cssColour(dot.colour) }}
                  {...tooltipOn(() => tooltip(dot.id))}
                />
              </g>
            ))}
          </g>
          <text x={margin + width} y={height - 3} text-anchor="end">
            {title}
          </text>
        </svg>
      ) : null}
    </div>
  );
}
