/**
 * Paints a box of `row` from `left` to `right` [pixels] into a picture that is `width` pixels wide. A pixel that it covers in
 * part has that part of its colour; boxes of one row lie side by side, so that their parts of a pixel add up.
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
  pixels.fill(withAlpha(pixel, alpha), start + first + 1, start + last);
  mix(pixels, start + last, pixel, alpha * (to - last));
}

function mix(pixels: Uint32Array, at: number, pixel: number, alpha: number): void {
  const before = pixels[at] ?? 0;
  const old = (before >>> 24) / 255;
  const sum = Math.min(1, old + alpha);
  const share = sum > 0 ? (sum - old) / sum : 0;
  const mixed = (shift: number) => {
    const had = (before >>> shift) & 255;
    return Math.round(had + (((pixel >>> shift) & 255) - had) * share) << shift;
  };
  pixels[at] = withAlpha(mixed(0) | mixed(8) | mixed(16), sum);
}

const withAlpha = (pixel: number, alpha: number): number =>
  ((Math.round(alpha * 255) << 24) | (pixel & 0xffffff)) >>> 0;
