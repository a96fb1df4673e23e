import type { Rgb } from './palette';

/**
 * Marks set pixel by pixel: a hundred thousand dots cost milliseconds, where paths and their
 * rasterising cost half a second.
 */

/** How much of each pixel a dot of that diameter covers, around its middle. */
export interface Stamp {
  /** pixels from the middle to the edge of the mask, which is 2 x reach + 1 wide */
  reach: number;
  cover: Float32Array;
}

export const stampOf = (diameter: number, shape?: Shape): Stamp =>
  stampBy(diameter, (inside) => inside, shape);

/** A second encoding beside the colour. */
export const shapes = ['circle', 'square', 'triangle', 'diamond'] as const;
export type Shape = (typeof shapes)[number];

/** The shape that goes with a colour: those of a family count from 1. */
export const shapeOf = (token: string): Shape =>
  shapes[(Number(/\d+$/.exec(token)?.[0] ?? 1) - 1) % shapes.length] ?? 'circle';

/** How far a place is from the middle, in such radii that all shapes have about one area. */
const distances: Record<Shape, (x: number, y: number) => number> = {
  circle: Math.hypot,
  square: (x, y) => 1.13 * Math.max(Math.abs(x), Math.abs(y)),
  triangle: (x, y) => Math.max(1.29 * y, 1.15 * Math.abs(x) - 0.65 * y),
  diamond: (x, y) => 0.8 * (Math.abs(x) + Math.abs(y)),
};

/** A ring, its line `line` pixels wide outside of the diameter. */
export const ringOf = (diameter: number, line: number): Stamp =>
  stampBy(diameter + 2 * line, (out) => Math.min(out, line + 1 - out));

/** `cover` of what lies so many pixels inside of the edge, softened over one. */
function stampBy(
  diameter: number,
  coverOf: (inside: number) => number,
  shape: Shape = 'circle',
): Stamp {
  const radius = diameter / 2;
  // corners reach further than a circle
  const reach = Math.ceil(shape === 'circle' ? radius : 1.4 * radius);
  const side = 2 * reach + 1;
  const cover = new Float32Array(side * side);
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      const covered = coverOf(radius + 0.5 - distances[shape](x, y));
      cover[(y + reach) * side + x + reach] = Math.min(1, Math.max(0, covered));
    }
  }
  return { reach, cover };
}

/** Pixels, all of one ground. */
export function groundOf(width: number, height: number, pixel: number): ImageData {
  const image = new ImageData(width, height);
  new Uint32Array(image.data.buffer).fill(pixel);
  return image;
}

/** Lays a dot over the pixels; what reaches beyond their edge is left out. */
export function setDot(
  image: ImageData,
  x: number,
  y: number,
  stamp: Stamp,
  ink: Rgb,
  opacity: number,
): void {
  const { width, height, data } = image;
  const { reach, cover } = stamp;
  const side = 2 * reach + 1;
  const middleX = Math.round(x);
  const middleY = Math.round(y);
  const left = Math.max(0, middleX - reach);
  const right = Math.min(width - 1, middleX + reach);
  const top = Math.max(0, middleY - reach);
  const bottom = Math.min(height - 1, middleY + reach);
  for (let row = top; row <= bottom; row += 1) {
    const mask = (row - middleY + reach) * side + reach - middleX;
    for (let column = left; column <= right; column += 1) {
      const weight = (cover[mask + column] as number) * opacity;
      if (weight === 0) continue;
      const at = (row * width + column) * 4;
      data[at] = (data[at] as number) + (ink[0] - (data[at] as number)) * weight;
      data[at + 1] = (data[at + 1] as number) + (ink[1] - (data[at + 1] as number)) * weight;
      data[at + 2] = (data[at + 2] as number) + (ink[2] - (data[at + 2] as number)) * weight;
    }
  }
}

/** One colour over a rectangle of whole pixels. */
export function setRect(
  image: ImageData,
  x: number,
  y: number,
  width: number,
  height: number,
  pixel: number,
): void {
  const pixels = new Uint32Array(image.data.buffer);
  const right = Math.min(image.width, x + width);
  const bottom = Math.min(image.height, y + height);
  for (let row = Math.max(0, y); row < bottom; row += 1) {
    pixels.fill(pixel, row * image.width + Math.max(0, x), row * image.width + right);
  }
}
