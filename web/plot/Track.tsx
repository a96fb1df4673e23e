import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { drawTrack, type Layer } from './drawTrack';
import { duration } from './format';
import { drawNextFrame, forgetDrawing } from './frames';
import { largest } from './numbers';
import { cssColour, paletteGeneration } from './palette';
import { fitCanvas, pixelRatio } from './pixelRatio';
import { axisTicks, roundedUp, type Tick } from './scales';
import { TimeAxisLabels } from './TimeAxisLabels';
import { TimeBrush, type TimeBrushProps } from './TimeBrush';
import type { Range, TimeAxis } from './timeAxis';
import { type CssPixels, useSize } from './useSize';

export interface DirectLabel {
  text: string;
  colour: string;
  /** share of the width, from the left */
  at: number;
  value: number;
  side: 'above' | 'below';
}

export interface TrackProps {
  /**
   * what is seen of the shared axis: fixed, or panned and zoomed, which draws the track again
   * without asking Preact
   */
  over: Range | TimeAxis;
  /** kept by their identity: they must change when the data do */
  layers: readonly Layer[];
  height: CssPixels;
  /** a sentence for those who do not see the picture */
  label: string;
  /** about so many ticks on the value axis */
  wanted?: number;
  /** the value at the upper edge; else the first round one that holds all layers */
  top?: number;
  /** what stands at the left in place of round values, without lines across the track */
  ticks?: readonly Tick[];
  labels?: readonly DirectLabel[] | undefined;
  testId?: string | undefined;
}

/**
 * Marks over a shared time axis, on canvas: from 0 at the lower edge, its values in text at the
 * left.
 */
export function Track({
  over,
  layers,
  height,
  label,
  wanted = 3,
  labels = [],
  testId,
  ...given
}: TrackProps) {
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const top = useMemo(() => given.top ?? topOf(layers, wanted), [given.top, layers, wanted]);
  const round = useMemo(() => axisTicks(0, top, wanted), [top, wanted]);
  const ticks = given.ticks ?? round;
  const axis = 'visible' in over ? over : undefined;
  const [begin, end] = 'visible' in over ? [0, 1] : over;
  const hasGrid = given.ticks === undefined;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width <= 0) return;
    const gridAt = hasGrid ? round.map((tick) => tick.value) : [];
    const paint = () => {
      const ratio = pixelRatio();
      fitCanvas(element, width, height, ratio);
      const [from, until] = axis?.visible.peek() ?? [begin, end];
      drawTrack(context, layers, { begin: from, end: until, top, width, height, ratio, gridAt });
    };
    paint();
    let first = true;
    const stop = effect(() => {
      axis?.visible.value;
      paletteGeneration.value;
      if (!first) drawNextFrame(paint);
      first = false;
    });
    return () => {
      stop();
      forgetDrawing(paint);
    };
  }, [axis, begin, end, layers, top, round, hasGrid, width, height]);
  const y = (value: number) => height - (value / top) * height;
  return (
    <div
      ref={box}
      class="track-plot"
      role="img"
      aria-label={label}
      data-testid={testId}
      style={{ height: `${height}px` }}
    >
      <canvas ref={canvas} style={{ width: '100%', height: `${height}px` }} />
      <div class="track-axis" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick.value} style={{ top: `${y(tick.value)}px` }}>
            {tick.label}
          </span>
        ))}
      </div>
      {labels.map((entry) => (
        <span
          key={entry.text}
          class={entry.at >= 1 ? 'track-label track-label-end cut' : 'track-label'}
          style={{
            left: `${entry.at * 100}%`,
            top: `${y(entry.value) + (entry.side === 'above' ? -15 : 2)}px`,
            '--named': cssColour(entry.colour),
          }}
        >
          {entry.text}
        </span>
      ))}
    </div>
  );
}

/** Where an axis ends that holds all layers. */
const topOf = (layers: readonly Layer[], wanted: number): number =>
  roundedUp(
    Math.max(
      0,
      ...layers.map((layer) =>
        'steps' in layer
          ? largest(layer.steps.values)
          : layer.kind === 'band'
            ? largest(layer.upper.values)
            : layer.kind === 'rule'
              ? layer.y
              : 0,
      ),
    ),
    wanted,
  );

interface MiniTrackProps extends TrackProps {
  over: Range;
  caption?: string;
  unit: string;
  /** where a stretch of the time can be selected */
  brush?: Pick<TimeBrushProps, 'axis' | 'selected' | 'onSelect'>;
  /** what stands below it */
  children?: ComponentChildren;
}

/** One track with its own labels: what is drawn above it, and the axis below. */
export function MiniTrack({ caption, unit, brush, children, ...track }: MiniTrackProps) {
  const picture = (
    <>
      {caption === undefined ? null : <p class="plot-caption tiny muted">{caption}</p>}
      <Track {...track} />
    </>
  );
  return (
    <div class="mini-track">
      {brush ? (
        <TimeBrush {...brush} whole label="Drag to select a time range" positionText={duration}>
          {picture}
        </TimeBrush>
      ) : (
        picture
      )}
      <TimeAxisLabels range={track.over} unit={unit} below />
      {children}
    </div>
  );
}
