/**
 * Pictures made pixel by pixel: for marks so many that a path of them would take longer than the
 * frame.
 */
import { interpolateRgbBasis } from 'd3-interpolate';
import { colour, paletteGeneration, rgbOf } from './palette';
import { fitCanvas } from './pixelRatio';

let known = new Map<string, number>();
let ofPalette = paletteGeneration.peek();

/**
 * A colour as the bytes of a canvas have it in memory (RGBA, little-endian, as every browser's
 * machine is). A picture of a hundred thousand marks has few: each is worked out once.
 */
export function pixelOf(token: string): number {
  if (ofPalette !== paletteGeneration.peek()) {
    known = new Map();
    ofPalette = paletteGeneration.peek();
  }
  let pixel = known.get(token);
  if (pixel === undefined) {
    const [red, green, blue] = rgbOf(colour(token));
    pixel = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    known.set(token, pixel);
  }
  return pixel;
}

const steps = 256;

/** The colours between those of `tokens` in 256 steps. */
export function scalePixels(tokens: readonly string[]): Uint32Array {
  const scale = interpolateRgbBasis(tokens.map((token) => colour(token) || '#888888'));
  return Uint32Array.from({ length: steps }, (_, step) => pixelOf(scale(step / (steps - 1))));
}

/** The sequential scale of the theme, low to high. */
export const sequentialPixels = (): Uint32Array =>
  scalePixels(['--seq-1', '--seq-2', '--seq-3', '--seq-4', '--seq-5', '--seq-6']);

/** A picture of its own size in memory, for putting on a canvas at any scale. */
export class PixelBuffer {
  #canvas: HTMLCanvasElement | undefined;
  #pen: CanvasRenderingContext2D | null = null;
  #image: ImageData | undefined;
  pixels = new Uint32Array();
  width = 0;
  height = 0;

  /** Makes it that large and empty. */
  clear(width: number, height: number): void {
    if (this.#image?.width === width && this.#image.height === height) this.pixels.fill(0);
    else {
      this.#image = new ImageData(Math.max(1, width), Math.max(1, height));
      this.pixels = new Uint32Array(this.#image.data.buffer);
      this.width = width;
      this.height = height;
    }
  }

  /** Draws it over the given place, without smoothing. */
  drawOn(
    context: CanvasRenderingContext2D,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    if (!this.#image || this.width <= 0 || this.height <= 0) return;
    if (!this.#canvas) {
      this.#canvas = document.createElement('canvas');
      this.#pen = this.#canvas.getContext('2d');
    }
    fitCanvas(this.#canvas, this.width, this.height, 1);
    this.#pen?.putImageData(this.#image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#canvas, x, y, width, height);
  }
}
