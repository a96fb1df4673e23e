import { colour } from './palette';
import { pixelRatio } from './pixelRatio';

const period = 6;

/** The 45° hatch that means "idle" or "unknown", as a canvas pattern. */
export function hatchPattern(
  context: CanvasRenderingContext2D,
  ground: string,
  ink: string,
): CanvasPattern | string {
  const ratio = pixelRatio();
  const size = Math.round(period * ratio);
  const key = `${ground === 'none' ? '' : colour(ground)} ${colour(ink)} ${size}`;
  const tile = tiles.get(key) ?? drawnTile(size, ratio, ground, ink);
  tiles.set(key, tile);
  const pattern = context.createPattern(tile, 'repeat');
  if (!pattern) return colour(ground);
  // the tile is drawn in device pixels, the context is scaled to CSS pixels
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}

/** By their colours: a track that is drawn sixty times a second uses one. */
const tiles = new Map<string, HTMLCanvasElement>();

function drawnTile(size: number, ratio: number, ground: string, ink: string): HTMLCanvasElement {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (!pen) return tile;
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
  return tile;
}
