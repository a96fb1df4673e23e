import { colour } from './palette';

const period = 6;

/** The 45° hatch that means "idle" or "unknown", as a canvas pattern. */
export function hatchPattern(context: CanvasRenderingContext2D, ground: string, ink: string): CanvasPattern | string {
  const ratio = window.devicePixelRatio || 1;
  const size = Math.round(period * ratio);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (!pen) return colour(ground);
  if (ground !== 'none') {
    pen.fillStyle = colour(ground);
    pen.fillRect(0, 0, size, size);
  }
  pen.strokeStyle = colour(ink);
  pen.lineWidth = 1.2 * ratio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  if (!pattern) return colour(ground);
  // the tile is drawn in device pixels, the context is scaled to CSS pixels
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}
