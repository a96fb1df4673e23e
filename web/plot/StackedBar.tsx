import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { HatchDefinition } from './HatchDefinition';
import { cssColour, inkOn } from './palette';
import { chartFont, cutText, textWidth } from './textWidth';
import type { CssPixels } from './useSize';

export interface BarSegment {
  id: string;
  label: string;
  /** where the label does not fit */
  shortLabel?: string | undefined;
  value: number;
  /** token or colour; a hatched segment has the hatch's own */
  colour: string;
  texture?: 'solid' | 'hatched' | 'crossed' | undefined;
  /** under the label or, in a low bar, after it */
  valueText?: string | undefined;
  /** large, at the right end */
  shareText?: string | undefined;
  tooltip?: (() => ComponentChildren) | undefined;
}

export interface StackedBarProps {
  /** makes pattern ids unique on the page */
  id: string;
  segments: readonly BarSegment[];
  pixelsPerUnit: number;
  y: CssPixels;
  height: CssPixels;
  /** 'two' = label over value with the share at the right, 'one' = one line, 'none' = marks only */
  lines: 'two' | 'one' | 'none';
}

const gap: CssPixels = 1;

/** Segments side by side from zero, as a <g>; labels only where they fit. */
export function StackedBar({
  id: name,
  segments,
  pixelsPerUnit,
  y,
  height,
  lines,
}: StackedBarProps) {
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
          <g
            key={segment.id}
            data-testid={`segment-${segment.id}`}
            class="mark"
            {...(segment.tooltip ? tooltipOn(segment.tooltip) : {})}
          >
            <rect x={left} y={y} width={drawn} height={height} fill={fillOf(id, segment)} />
            <SegmentText
              segment={segment}
              left={left}
              width={drawn}
              y={y}
              height={height}
              lines={lines}
            />
          </g>
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

interface SegmentTextProps {
  segment: BarSegment;
  left: CssPixels;
  width: CssPixels;
  y: CssPixels;
  height: CssPixels;
  lines: StackedBarProps['lines'];
}

function SegmentText({ segment, left, width, y, height, lines }: SegmentTextProps) {
  if (lines === 'none' || width < 24 || !(segment.label || segment.valueText || segment.shareText))
    return null;
  const ink = segment.texture === 'hatched' ? 'var(--text)' : inkOn(segment.colour);
  const halo =
    segment.texture === 'hatched' ? 'halo-idle' : segment.texture === 'crossed' ? 'halo-lost' : '';
  if (lines === 'one') {
    const wanted = [segment.label, segment.valueText, segment.shareText].filter(Boolean);
    const full = `${segment.label} ${[segment.valueText, segment.shareText].filter(Boolean).join(' · ')}`;
    const short = [segment.label, segment.shareText].filter(Boolean).join(' ');
    const font = chartFont(12, 600);
    const fits = [full, short, segment.shareText ?? '', segment.valueText ?? ''].find(
      (text) => text && wanted.length > 0 && textWidth(text, font) <= width - 12,
    );
    if (!fits) return null;
    return (
      <text class={`bar-text ${halo}`} x={left + 8} y={y + height / 2 + 4} style={{ fill: ink }}>
        {fits}
      </text>
    );
  }
  const share = segment.shareText ?? '';
  const shareFont = chartFont(22, 600);
  const label = cutText(segment.label, chartFont(13, 600), width - 24);
  const labelWidth = Math.max(
    textWidth(label, chartFont(13, 600)),
    textWidth(segment.valueText ?? '', chartFont(12)),
  );
  const beside = labelWidth + textWidth(share, shareFont) + 36 <= width;
  // in a narrow segment the share takes the value's place: of the two it says more
  if (label !== segment.label || !beside) {
    const shortFont = chartFont(12, 600);
    const shorter = segment.shortLabel ?? segment.label;
    const shortLabel = cutText(
      textWidth(segment.label, shortFont) <= width - 8 ? segment.label : shorter,
      shortFont,
      width - 8,
    );
    if (!shortLabel || shortLabel.length < 3) {
      if (textWidth(share, chartFont(12)) > width - 4) return null;
      return (
        <text
          class={`bar-small ${halo}`}
          x={left + width / 2}
          y={y + height / 2 + 4}
          style={{ fill: ink }}
          text-anchor="middle"
        >
          {share}
        </text>
      );
    }
    return (
      <>
        <text
          class={`bar-text ${halo}`}
          x={left + width / 2}
          y={y + height / 2 - 4}
          style={{ fill: ink }}
          text-anchor="middle"
        >
          {shortLabel}
        </text>
        <text
          class={`bar-small ${halo}`}
          x={left + width / 2}
          y={y + height / 2 + 12}
          style={{ fill: ink }}
          text-anchor="middle"
        >
          {share}
        </text>
      </>
    );
  }
  return (
    <>
      <text class={`bar-label ${halo}`} x={left + 12} y={y + height / 2 - 3} style={{ fill: ink }}>
        {label}
      </text>
      <text class={`bar-small ${halo}`} x={left + 12} y={y + height / 2 + 13} style={{ fill: ink }}>
        {segment.valueText}
      </text>
      <text
        class={`bar-share ${halo}`}
        x={left + width - 12}
        y={y + height / 2 + 8}
        style={{ fill: ink }}
        text-anchor="end"
      >
        {share}
      </text>
    </>
  );
}
