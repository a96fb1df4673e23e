/** Pictures made pixel by pixel: for marks so many that a path of them would take longer than the frame. */
import { interpolateRgbBasis } from 'd3-interpolate';
import { colour } from './palette';
import { fitCanvas } from './pixelRatio';

/** A colour as the bytes of a canvas have it in memory (RGBA, little-endian). */
export function pixelOf(token: string, alpha = 1): number {
  const text = colour(token);
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  const rgb = hex
    ? [0, 1, 2].map((i) =>
        hex.length === 3
          ? Number.parseInt(hex.slice(i, i + 1).repeat(2), 16)
          : Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
      )
    : (text.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const [red = 0, green = 0, blue = 0] = rgb;
  return ((Math.round(alpha * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** `pixelOf` for the boxes of one picture, which have few colours: each is worked out once. */
export function knownPixels(): (token: string) => number {
  const known = new Map<string, number>();
  return (token) => {
    const pixel = known.get(token) ?? pixelOf(token);
    known.set(token, pixel);
    return pixel;
  };
}

const steps = 256;

/** The sequential scale of the theme in 256 steps, low to high. */
export function sequentialPixels(): Uint32Array {
  const scale = interpolateRgbBasis(
    ['--seq-1', '--seq-2', '--seq-3', '--seq-4', '--seq-5', '--seq-6'].map((token) => colour(token) || '#888888'),
  );
  return Uint32Array.from({ length: steps }, (_, step) => pixelOf(scale(step / (steps - 1))));
}

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
  drawOn(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
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
