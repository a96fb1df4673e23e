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
  const all = [...guides, ...lines];
  const ends = all.map((line) => endOf(line, plot));
  const shownAt = spread(
    ends.map((end) => end?.y ?? 0),
    plot.height,
  );
  const nameOf = (index: number) => {
    const [line, end] = [all[index], ends[index]];
    return labelled && line && end ? (
      <LineName line={line} end={end} y={shownAt[index] ?? 0} width={plot.width} />
    ) : null;
  };
  return (
    <>
      {guides.map((guide, place) => {
        const end = ends[place];
        return (
          <g key={guide.label} class="scatter-guide">
            <path d={pathOf(guide, plot)} />
            {nameOf(place) ??
              (end && end.x > 30 ? (
                <text x={end.x - 4} y={Math.max(10 + 13 * place, end.y - 4)} text-anchor="end">
                  {`${guide.label} ${guide.detail}`}
                </text>
              ) : null)}
          </g>
        );
      })}
      {lines.map((line, place) => (
        <g key={line.label} data-testid={`fit-${line.label}`}>
          <path class="scatter-halo" d={pathOf(line, plot)} />
          <path
            class="mark-line"
            d={pathOf(line, plot)}
            style={{ stroke: cssColour(line.colour) }}
          />
          {nameOf(guides.length + place)}
        </g>
      ))}
    </>
  );
}

interface LineNameProps {
  line: FitLine;
  end: { x: CssPixels; y: CssPixels };
  y: CssPixels;
  width: CssPixels;
}

/** Right of the plot, where no point lies beneath it. */
const LineName = ({ line, end, y, width }: LineNameProps) => (
  <>
    <path
      class="scatter-leader"
      d={`M${end.x} ${end.y}L${width + 10} ${y}`}
      style={{ stroke: cssColour(line.colour || '--text-3') }}
    />
    <text class="scatter-name" x={width + 14} y={y}>
      {cutText(line.label, chartFont(11, 600), labelWidth)}
    </text>
    <text x={width + 14} y={y + 12}>
      {line.detail}
    </text>
  </>
);

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
