import { line } from 'd3-shape';

export interface SparklineProps {
  /** in their order; NaN leaves a gap */
  values: readonly number[];
  label: string;
}

const width = 56;
const height = 14;
const margin = 2.5;

/**
 * The course of a few numbers, without axes: up is more. The last one has a dot. Nothing is drawn
 * of fewer than three.
 */
export function Sparkline({ values, label }: SparklineProps) {
  const known = values.filter(Number.isFinite);
  if (known.length < 3) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (place: number) => margin + (place / (values.length - 1)) * (width - 2 * margin);
  const y = (value: number) =>
    most > least
      ? height - margin - ((value - least) / (most - least)) * (height - 2 * margin)
      : height / 2;
  const path = line<number>()
    .defined(Number.isFinite)
    .x((_, place) => x(place))
    .y(y)(values as number[]);
  const last = values.findLastIndex(Number.isFinite);
  return (
    <svg class="sparkline" width={width} height={height} role="img" aria-label={label}>
      <path d={path ?? ''} />
      <circle cx={x(last)} cy={y(values[last] ?? Number.NaN)} r={2} />
    </svg>
  );
}
