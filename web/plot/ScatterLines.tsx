import { cssColour } from './palette';
import { chartFont, cutText } from './textWidth';
import type { CssPixels } from './useSize';
import { shareOf, type ValueAxis, valueAtShare } from './valueAxis';

/** y = fixed + slope x x, with a name at its end. */
export interface FitLine {
  label: string;
  detail: string;
  colour: string;
  fixed: number;
  slope: number;
}

export interface ScatterLinesProps {
  lines: readonly FitLine[];
  guides: readonly FitLine[];
  xAxis: ValueAxis;
  yAxis: ValueAxis;
  width: CssPixels;
  height: CssPixels;
  /** there is room for names right of the plot */
  labelled: boolean;
}

const labelHeight: CssPixels = 26;
const labelWidth: CssPixels = 96;

/** Straight lines; on a logarithmic axis they are curves, drawn through many points. */
export function ScatterLines({ lines, guides, xAxis, yAxis, width, height, labelled }: ScatterLinesProps) {
  const ends = lines.map((line) => endOf(line, xAxis, yAxis, width, height));
  const shownAt = spread(
    ends.map((end) => end?.y ?? 0),
    height,
  );
  return (
    <>
      {guides.map((guide) => {
        const end = endOf(guide, xAxis, yAxis, width, height);
        return (
          <g key={guide.label} class="scatter-guide">
            <path d={pathOf(guide, xAxis, yAxis, width, height)} />
            {end && end.x > 30 ? (
              <text x={end.x - 4} y={Math.max(10, end.y - 4)} text-anchor="end">
                {guide.label}
              </text>
            ) : null}
          </g>
        );
      })}
      {lines.map((line, index) => {
        const end = ends[index];
        const textY = shownAt[index] ?? 0;
        return (
          <g key={line.label} data-testid={`fit-${line.label}`}>
            <path class="scatter-halo" d={pathOf(line, xAxis, yAxis, width, height)} />
            <path
              class="scatter-line"
              d={pathOf(line, xAxis, yAxis, width, height)}
              style={{ stroke: cssColour(line.colour) }}
            />
            {labelled && end ? (
              <>
                <path
                  class="scatter-leader"
                  d={`M${end.x} ${end.y}L${width + 10} ${textY}`}
                  style={{ stroke: cssColour(line.colour) }}
                />
                <text class="scatter-name" x={width + 14} y={textY}>
                  {cutText(line.label, chartFont(11, 600), labelWidth)}
                </text>
                <text x={width + 14} y={textY + 12}>
                  {line.detail}
                </text>
              </>
            ) : null}
          </g>
        );
      })}
    </>
  );
}

const steps = 48;

function* along(line: FitLine, xAxis: ValueAxis, yAxis: ValueAxis): Generator<[number, number]> {
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps;
    const y = shareOf(yAxis, line.fixed + line.slope * valueAtShare(xAxis, share));
    if (y >= -0.001 && y <= 1.001) yield [share, y];
  }
  // a steep line leaves through the upper edge, between two steps
  if (line.slope <= 0) return;
  const top = shareOf(xAxis, (yAxis.hi - line.fixed) / line.slope);
  if (top > 0 && top < 1) yield [top, 1];
}

function pathOf(line: FitLine, xAxis: ValueAxis, yAxis: ValueAxis, width: CssPixels, height: CssPixels): string {
  const places = [...along(line, xAxis, yAxis)].sort((a, b) => a[0] - b[0]);
  return places
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${(x * width).toFixed(1)} ${((1 - y) * height).toFixed(1)}`)
    .join('');
}

function endOf(line: FitLine, xAxis: ValueAxis, yAxis: ValueAxis, width: CssPixels, height: CssPixels) {
  const last = [...along(line, xAxis, yAxis)].sort((a, b) => a[0] - b[0]).at(-1);
  return last && { x: last[0] * width, y: (1 - last[1]) * height };
}

/** Moves labels apart that would stand on each other, keeping their order. */
export function spread(wanted: readonly CssPixels[], height: CssPixels): CssPixels[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = new Array<CssPixels>(wanted.length).fill(0);
  let free = 8;
  for (const index of order) {
    placed[index] = Math.max(free, wanted[index] ?? 0);
    free = (placed[index] ?? 0) + labelHeight;
  }
  // what ran over the lower edge is pushed back up
  let limit = height - 12;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, limit);
    limit = (placed[index] ?? 0) - labelHeight;
  }
  return placed;
}
