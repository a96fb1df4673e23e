import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { Frame } from './Frame';
import type { HistogramMark } from './Histogram';
import { Rule } from './marks';
import { cssColour } from './palette';
import { usePlot } from './plot';
import { axisOf } from './scales';
import type { CssPixels } from './useSize';

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
const margins = { left: 14, right: 14, top: 0, bottom: 34 };

/**
 * A dot per value, for so few values that bins would hide them. Dots that would cover each other
 * are stacked.
 */
export function DotStrip(props: DotStripProps) {
  const {
    dots,
    marks,
    title,
    factor,
    log = false,
    height,
    hovered,
    onHover,
    tooltip,
    label,
    testId,
  } = props;
  const values = dots.map((dot) => dot.value);
  const ground = { lo: 0, hi: 1, log: false, title: '', ticks: [{ value: 0, label: '' }] };
  const plot = usePlot(
    { ...axisOf(values, log), title, factor, ticks: 64 },
    ground,
    height,
    margins,
  );
  const levels = new Map<number, number>();
  const placed = [...dots]
    .sort((a, b) => a.value - b.value || a.id - b.id)
    .map((dot) => {
      const column = Math.round(plot.x(dot.value) / (2 * radius));
      const level = levels.get(column) ?? 0;
      levels.set(column, level + 1);
      return { ...dot, level };
    });
  return (
    <Frame plot={plot} label={label} testId={testId}>
      {marks.map((mark) => (
        <Rule key={mark.label} plot={plot} x={mark.value} dash={mark.dash} />
      ))}
      {placed.map((dot) => (
        <g
          key={dot.id}
          onPointerOver={onHover && (() => onHover(dot.id))}
          onPointerOut={onHover && (() => onHover(undefined))}
        >
          <circle
            class={dot.id === hovered ? 'strip-dot hovered' : 'strip-dot'}
            cx={plot.x(dot.value)}
            cy={Math.max(radius, plot.height - radius - 2 - dot.level * 2 * radius)}
            r={radius - 0.5}
            style={{ fill: cssColour(dot.colour) }}
            {...tooltipOn(() => tooltip(dot.id))}
          />
        </g>
      ))}
    </Frame>
  );
}
