import { useLayoutEffect, useRef } from 'preact/hooks';
import { paletteGeneration } from './palette';
import { fitCanvas, pixelRatio } from './pixelRatio';
import type { CssPixels } from './useSize';

/** Draws in CSS pixels; `ratio` of the canvas' own are one of them. */
export type DrawOn = (context: CanvasRenderingContext2D, ratio: number) => void;

export interface PlotCanvasProps {
  /** kept by its identity: it must change when the picture does */
  draw: DrawOn;
  width: CssPixels;
  height: CssPixels;
  /** every pixel is drawn: nothing behind it has to be mixed in */
  opaque?: boolean;
  class?: string | undefined;
  place?: Record<string, string>;
}

/** A canvas of the screen's pixels, or of a picture's; drawn again when its colours change. */
export function PlotCanvas({
  draw,
  width,
  height,
  opaque = false,
  class: name,
  place,
}: PlotCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const generation = paletteGeneration.value;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d', { alpha: !opaque });
    if (!element || !context || width <= 0 || height <= 0) return;
    const ratio = pixelRatio();
    fitCanvas(element, width, height, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context, ratio);
  }, [draw, width, height, generation, opaque]);
  return (
    <canvas
      ref={canvas}
      class={name}
      style={place ?? { width: `${width}px`, height: `${height}px` }}
    />
  );
}
