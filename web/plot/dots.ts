/** Marks set pixel by pixel: a hundred thousand dots cost milliseconds, where paths and their rasterising cost half a second. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** "#rgb" and "#rrggbb"; anything else is grey. */
export function rgbOf(hex: string): Rgb {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(hex);
  const long = short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}` : hex;
  if (!/^#[0-9a-f]{6}$/i.test(long)) return [128, 128, 128];
  return [1, 3, 5].map((begin) => Number.parseInt(long.slice(begin, begin + 2), 16)) as unknown as Rgb;
}

/** Between the colours of a scale, `share` from 0 to 1. */
export function mixed(scale: readonly Rgb[], share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const index = Math.min(scale.length - 2, Math.floor(place));
  const low = scale[index] ?? [128, 128, 128];
  const high = scale[index + 1] ?? low;
  const rest = place - index;
  return [0, 1, 2].map((k) => Math.round((low[k] ?? 0) + ((high[k] ?? 0) - (low[k] ?? 0)) * rest)) as unknown as Rgb;
}

/** How much of each pixel a dot of that diameter covers, around its middle. */
export interface Stamp {
  /** pixels from the middle to the edge of the mask, which is 2 x reach + 1 wide */
  reach: number;
  cover: Float32Array;
}

export const stampOf = (diameter: number): Stamp => stampBy(diameter, (out) => out);

/** A ring, its line `line` pixels wide outside of the diameter. */
export const ringOf = (diameter: number, line: number): Stamp =>
  stampBy(diameter + 2 * line, (out) => Math.min(out, line + 1 - out));

/** `cover` of what lies so many pixels inside of the edge, softened over one. */
function stampBy(diameter: number, coverOf: (inside: number) => number): Stamp {
  const radius = diameter / 2;
  const reach = Math.ceil(radius);
  const side = 2 * reach + 1;
  const cover = new Float32Array(side * side);
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      const covered = coverOf(radius + 0.5 - Math.hypot(x, y));
      cover[(y + reach) * side + x + reach] = Math.min(1, Math.max(0, covered));
    }
  }
  return { reach, cover };
}

/** Opaque pixels, all of one ground. */
export function groundOf(width: number, height: number, ground: Rgb): ImageData {
  const image = new ImageData(width, height);
  const [red, green, blue] = ground;
  // little-endian, as every browser's machine is
  new Uint32Array(image.data.buffer).fill(0xff000000 | (blue << 16) | (green << 8) | red);
  return image;
}

/** Lays a dot over the pixels; what reaches beyond their edge is left out. */
export function setDot(image: ImageData, x: number, y: number, stamp: Stamp, ink: Rgb, opacity: number): void {
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
export function setRect(image: ImageData, x: number, y: number, width: number, height: number, ink: Rgb): void {
  const pixels = new Uint32Array(image.data.buffer);
  const word = (0xff000000 | (ink[2] << 16) | (ink[1] << 8) | ink[0]) >>> 0;
  const right = Math.min(image.width, x + width);
  const bottom = Math.min(image.height, y + height);
  for (let row = Math.max(0, y); row < bottom; row += 1) {
    pixels.fill(word, row * image.width + Math.max(0, x), row * image.width + right);
  }
}
