import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawTrack, type Layer } from './drawTrack';
import { cssColour, paletteGeneration } from './palette';
import { pixelRatio } from './pixelRatio';
import type { Tick } from './ticks';
import { type CssPixels, useSize } from './useSize';

export interface DirectLabel {
  text: string;
  colour: string;
  /** share of the width, from the left */
  at: number;
  value: number;
  side: 'above' | 'below';
}

export interface TrackPlotProps {
  layers: readonly Layer[];
  begin: number;
  end: number;
  /** value at the upper edge */
  top: number;
  ticks: readonly Tick[];
  height: CssPixels;
  /** a sentence for those who do not see the picture */
  label: string;
  labels?: readonly DirectLabel[] | undefined;
  testId?: string | undefined;
}

/** One plot over a shared time axis: marks on canvas, value axis in text at its left. */
export function TrackPlot({ layers, begin, end, top, ticks, height, label, labels = [], testId }: TrackPlotProps) {
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const generation = paletteGeneration.value;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width <= 0) return;
    const ratio = pixelRatio();
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    drawTrack(context, layers, { begin, end, top, width, height, ratio, gridAt: ticks.map((tick) => tick.value) });
  }, [layers, begin, end, top, ticks, width, height, generation]);
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
          <span key={tick.value} style={{ top: `${height - (tick.value / top) * height}px` }}>
            {tick.label}
          </span>
        ))}
      </div>
      {labels.map((entry) => (
        <span
          key={entry.text}
          class="track-label"
          style={{
            left: `${entry.at * 100}%`,
            top: `${height - (entry.value / top) * height + (entry.side === 'above' ? -15 : 2)}px`,
            '--named': cssColour(entry.colour),
          }}
        >
          {entry.text}
        </span>
      ))}
    </div>
  );
}
