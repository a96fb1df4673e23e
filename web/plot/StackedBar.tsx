import { HatchDefinition } from './HatchDefinition';
import { cssColour } from './palette';
import type { CssPixels } from './useSize';

export interface BarSegment {
  id: string;
  value: number;
  /** token or colour; a hatched segment has the hatch's own */
  colour: string;
  texture?: 'solid' | 'hatched' | 'crossed' | undefined;
}

export interface StackedBarProps {
  /** makes pattern ids unique on the page */
  id: string;
  segments: readonly BarSegment[];
  pixelsPerUnit: number;
  y: CssPixels;
  height: CssPixels;
}

const gap: CssPixels = 1;

/** Segments side by side from zero, as a <g>. */
export function StackedBar({ id: name, segments, pixelsPerUnit, y, height }: StackedBarProps) {
  // a blank or a quote would end the url() that names the pattern
  const id = name.replace(/[^\w-]/g, '_');
  let x = 0;
  return (
    <g>
      <defs>
        <HatchDefinition id={`${id}-hatch`} ground="var(--ph-idle)" ink="var(--ph-idle-ink)" />
        <HatchDefinition
          id={`${id}-cross`}
          ground="var(--ph-lost)"
          ink="rgb(255 255 255 / 24%)"
          cross
        />
      </defs>
      {segments.map((segment) => {
        const width = Math.max(0, segment.value * pixelsPerUnit);
        const left = x;
        x += width;
        if (width <= 0) return null;
        const drawn = Math.max(width > 2 * gap ? width - gap : width, 0.75);
        return (
          <rect
            key={segment.id}
            x={left}
            y={y}
            width={drawn}
            height={height}
            fill={fillOf(id, segment)}
          />
        );
      })}
    </g>
  );
}

function fillOf(id: string, segment: BarSegment): string {
  if (segment.texture === 'hatched') return `url(#${id}-hatch)`;
  if (segment.texture === 'crossed') return `url(#${id}-cross)`;
  return cssColour(segment.colour);
}
