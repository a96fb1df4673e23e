import { hatchPattern } from './hatch';
import { type IcicleIndex, visibleBoxes } from './icicleLayout';
import { colour } from './palette';
import { chartFont, cutText, textWidth } from './textWidth';
import type { CssPixels } from './useSize';

/** How boxes look; all by box number. */
export interface IcicleLook {
  name: (box: number) => string;
  /** after the name, dimmer, where there is room */
  detail: (box: number) => string;
  /** at the right end of wide boxes */
  share: (box: number) => string;
  /** colour token */
  colour: (box: number) => string;
  hatched: (box: number) => boolean;
  /** undefined = no search: nothing is dimmed */
  matched?: ((box: number) => boolean) | undefined;
  selected: number;
  hovered: number;
}

export interface IcicleFrame {
  begin: number;
  end: number;
  width: CssPixels;
  height: CssPixels;
  /** how far the rows are scrolled up */
  scrolled: CssPixels;
  rowHeight: CssPixels;
  ratio: number;
}

const gap: CssPixels = 1;
const nameFont = chartFont(12);
const italicFont = `italic ${nameFont}`;
const detailFont = chartFont(11);

export function drawIcicle(
  context: CanvasRenderingContext2D,
  index: IcicleIndex,
  look: IcicleLook,
  frame: IcicleFrame,
): void {
  const { width, height, ratio, rowHeight, scrolled } = frame;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  const hatch = hatchPattern(context, '--surface', '--line-2');
  const firstRow = Math.max(0, Math.floor(scrolled / rowHeight));
  const lastRow = Math.min(index.rows - 1, Math.floor((scrolled + height) / rowHeight));
  for (let row = firstRow; row <= lastRow; row += 1) {
    const top = row * rowHeight - scrolled;
    for (const item of visibleBoxes(index, row, frame.begin, frame.end, width)) {
      const left = Math.max(-2, item.left);
      const right = Math.min(width + 2, item.right);
      if (item.box < 0) {
        context.globalAlpha = look.matched ? 0.35 : 1;
        context.fillStyle = colour('--line-2');
        context.fillRect(left, top, Math.max(0.5, right - left), rowHeight - gap);
        continue;
      }
      drawBox(context, look, item.box, left, right, top, rowHeight, hatch);
    }
  }
  context.globalAlpha = 1;
}

function drawBox(
  context: CanvasRenderingContext2D,
  look: IcicleLook,
  box: number,
  left: CssPixels,
  right: CssPixels,
  top: CssPixels,
  rowHeight: CssPixels,
  hatch: CanvasPattern | string,
): void {
  const dimmed = look.matched !== undefined && !look.matched(box);
  const drawnWidth = right - left > 2 * gap ? right - left - gap : right - left;
  const boxHeight = rowHeight - gap;
  const hatched = look.hatched(box);
  context.globalAlpha = dimmed ? 0.28 : 1;
  context.fillStyle = hatched ? hatch : colour(look.colour(box));
  context.fillRect(left, top, drawnWidth, boxHeight);
  if (box === look.hovered) {
    context.globalAlpha = 0.12;
    context.fillStyle = colour('--text');
    context.fillRect(left, top, drawnWidth, boxHeight);
  }
  context.globalAlpha = dimmed ? 0.6 : 1;
  if (drawnWidth > 22)
    drawText(context, look, box, Math.max(0, left), left + drawnWidth, top + boxHeight / 2 + 0.5, hatched);
  context.globalAlpha = 1;
  if (look.matched && !dimmed) {
    context.fillStyle = colour('--text');
    context.fillRect(left, top, drawnWidth, 2);
  }
  if (box === look.selected) {
    context.strokeStyle = colour('--text');
    context.lineWidth = 2;
    context.strokeRect(left + 1, top + 1, Math.max(1, drawnWidth - 2), boxHeight - 2);
  }
}

/** The text stays in the visible part of a box that begins left of the window. */
function drawText(
  context: CanvasRenderingContext2D,
  look: IcicleLook,
  box: number,
  left: CssPixels,
  right: CssPixels,
  middle: CssPixels,
  hatched: boolean,
): void {
  const room = right - left - 10;
  const name = cutText(look.name(box), nameFont, room);
  if (!name) return;
  context.font = hatched ? italicFont : nameFont;
  context.fillStyle = colour(hatched ? '--text-2' : '--pk-ink');
  context.fillText(name, left + 5, middle);
  let used = textWidth(name, nameFont) + 8;
  const share = look.share(box);
  const shareWidth = textWidth(share, detailFont);
  const withShare = share !== '' && used + shareWidth + 12 <= room;
  const detailRoom = room - used - (withShare ? shareWidth + 12 : 0);
  const detail = look.detail(box);
  context.font = detailFont;
  if (withShare) {
    context.textAlign = 'right';
    context.fillText(share, right - 6, middle);
    context.textAlign = 'left';
  }
  if (detail && textWidth(detail, detailFont) <= detailRoom) {
    const alpha = context.globalAlpha;
    context.globalAlpha = alpha * 0.72;
    context.fillText(detail, left + 5 + used, middle);
    context.globalAlpha = alpha;
    used += detailRoom;
  }
}
