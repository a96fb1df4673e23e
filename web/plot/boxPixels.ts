/**
 * Paints a box of `row` from `left` to `right` [pixels] into a picture that is `width` pixels wide.
 * A pixel that it covers in part has that part of its colour; boxes of one row lie side by side, so
 * that their parts of a pixel add up.
 */
export function paintBox(
  pixels: Uint32Array,
  width: number,
  row: number,
  pixel: number,
  alpha: number,
  left: number,
  right: number,
): void {
  const from = Math.max(0, left);
  const to = Math.min(width, right);
  if (!(from < to)) return;
  const start = row * width;
  const first = Math.floor(from);
  const last = Math.ceil(to) - 1;
  if (first === last) {
    mix(pixels, start + first, pixel, alpha * (to - from));
    return;
  }
  mix(pixels, start + first, pixel, alpha * (first + 1 - from));
  const full = withAlpha(pixel, alpha);
  for (let at = start + first + 1; at < start + last; at += 1) pixels[at] = full;
  mix(pixels, start + last, pixel, alpha * (to - last));
}

function mix(pixels: Uint32Array, at: number, pixel: number, alpha: number): void {
  const before = pixels[at] ?? 0;
  if (before === 0) {
    pixels[at] = withAlpha(pixel, alpha);
    return;
  }
  const old = (before >>> 24) / 255;
  const sum = Math.min(1, old + alpha);
  const share = (sum - old) / sum;
  const red = between(before & 255, pixel & 255, share);
  const green = between((before >>> 8) & 255, (pixel >>> 8) & 255, share);
  const blue = between((before >>> 16) & 255, (pixel >>> 16) & 255, share);
  pixels[at] = withAlpha((blue << 16) | (green << 8) | red, sum);
}

const between = (from: number, to: number, share: number): number =>
  Math.round(from + (to - from) * share);

const withAlpha = (pixel: number, alpha: number): number =>
  ((Math.round(alpha * 255) << 24) | (pixel & 0xffffff)) >>> 0;
