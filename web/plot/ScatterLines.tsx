import { line as path } from 'd3-shape';
import { cssColour } from './palette';
import type { Plot } from './plot';
import { chartFont, cutText } from './textWidth';
import type { CssPixels } from './useSize';

/** y = fixed + slope x x, or a line through points, with a name at its end. */
export type FitLine = { label: string; detail: string; colour: string } & (
  | { fixed: number; slope: number }
  | { through: readonly (readonly [x: number, y: number])[] }
);

export interface ScatterLinesProps {
  lines: readonly FitLine[];
  guides: readonly FitLine[];
  plot: Plot;
  /** there is room for names right of the plot */
  labelled: boolean;
}

const labelHeight: CssPixels = 26;
const labelWidth: CssPixels = 96;

/** Straight lines; on a logarithmic axis they are curves, drawn through many points. */
export function ScatterLines({ lines, guides, plot, labelled }: ScatterLinesProps) {
  const { width, height } = plot;
  const ends = lines.map((line) => endOf(line, plot));
  const shownAt = spread(
    ends.map((end) => end?.y ?? 0),
    height,
  );
  return (
    <>
      {guides.map((guide, place) => {
        const end = endOf(guide, plot);
        return (
          <g key={guide.label} class="scatter-guide">
            <path d={pathOf(guide, plot)} />
            {end && end.x > 30 ? (
              <text x={end.x - 4} y={Math.max(10 + 13 * place, end.y - 4)} text-anchor="end">
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
            <path class="scatter-halo" d={pathOf(line, plot)} />
            <path
              class="mark-line"
              d={pathOf(line, plot)}
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

/** Places on the line within the plot, from the left. */
function along(line: FitLine, { x, y, width, height }: Plot): [CssPixels, CssPixels][] {
  if ('through' in line) return line.through.map((point) => [x(point[0]), y(point[1])]);
  const places = Array.from({ length: steps + 1 }, (_, step): [CssPixels, CssPixels] => {
    const place = (step / steps) * width;
    return [place, y(line.fixed + line.slope * x.invert(place))];
  }).filter(([, level]) => level >= -0.001 * height && level <= 1.001 * height);
  // a steep line leaves through the upper edge, between two steps
  const top = x((y.invert(0) - line.fixed) / line.slope);
  if (line.slope > 0 && top > 0 && top < width) places.push([top, 0]);
  return places.sort((a, b) => a[0] - b[0]);
}

const pathOf = (line: FitLine, plot: Plot): string =>
  path<[CssPixels, CssPixels]>()(along(line, plot)) ?? '';

function endOf(line: FitLine, plot: Plot): { x: CssPixels; y: CssPixels } | undefined {
  const last = along(line, plot).at(-1);
  return last && { x: last[0], y: last[1] };
}

/** Moves labels apart that would stand on each other, keeping their order. */
export function spread(wanted: readonly CssPixels[], height: CssPixels): CssPixels[] {
  const order = wanted
    .map((_, index) => index)
    .sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
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
