import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawNextFrame, forgetDrawing } from './frames';
import { cssColour, paletteGeneration } from './palette';
import { fitCanvas, pixelRatio } from './pixelRatio';
import type { DirectLabel } from './TrackPlot';
import type { Tick } from './ticks';
import type { TimeAxis } from './timeAxis';
import { type CssPixels, useSize } from './useSize';

export interface TimeFrame {
  begin: number;
  end: number;
  width: CssPixels;
  height: CssPixels;
  /** device pixels per CSS pixel */
  ratio: number;
}

export interface TimePlotProps {
  axis: TimeAxis;
  /** draws what is visible; kept by its identity, so that it must change when the data does */
  draw: (context: CanvasRenderingContext2D, frame: TimeFrame) => void;
  height: CssPixels;
  /** a sentence for those who do not see the picture */
  label: string;
  /** the value at the upper edge, and ticks of the value axis at its left */
  top?: number;
  ticks?: readonly Tick[];
  labels?: readonly DirectLabel[];
  testId?: string | undefined;
}

const none: readonly never[] = [];

/** A canvas over a shared time axis. Panning and zooming draw it again without asking Preact. */
export function TimePlot({ axis, draw, height, label, top = 1, ticks = none, labels = none, testId }: TimePlotProps) {
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width <= 0) return;
    const paint = () => {
      const ratio = pixelRatio();
      fitCanvas(element, width, height, ratio);
      const [begin, end] = axis.visible.peek();
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      draw(context, { begin, end, width, height, ratio });
    };
    paint();
    let first = true;
    const stop = effect(() => {
      axis.visible.value;
      paletteGeneration.value;
      if (!first) drawNextFrame(paint);
      first = false;
    });
    return () => {
      stop();
      forgetDrawing(paint);
    };
  }, [axis, draw, width, height]);
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
          class={entry.at >= 1 ? 'track-label track-label-end' : 'track-label'}
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
