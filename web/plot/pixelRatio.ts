import { refreshPalette } from './palette';
import type { CssPixels } from './useSize';

let least = 1;

/** Pixels of a canvas for each CSS pixel: the screen's, or more while a picture is taken. */
export const pixelRatio = (): number => Math.max(window.devicePixelRatio || 1, least);

/**
 * Gives a canvas the pixels it needs. One that has them already keeps them: new ones cost as much
 * as a picture.
 */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  width: CssPixels,
  height: CssPixels,
  ratio: number,
): void {
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}

/** Does `work` while every canvas is drawn with at least `ratio` pixels for each CSS pixel. */
export async function withPixelRatio<T>(ratio: number, work: () => T): Promise<T> {
  least = ratio;
  refreshPalette();
  try {
    // components are made anew before the first frame, their canvases drawn after it
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return work();
  } finally {
    least = 1;
    refreshPalette();
  }
}
