import { hatchPattern } from './hatch';
import { type IcicleIndex, visibleBoxes } from './icicleLayout';
import { colour } from './palette';
import { chartFont, cutMiddle, textWidth } from './textWidth';
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
  /** what is read on that colour; by default the ink of the package colours */
  ink?: ((box: number) => string) | undefined;
  hatched: (box: number) => boolean;
  /** how much of the box, from its right end, is hatched over its colour; 0 … 1 */
  hatchedShare: (box: number) => number;
  /** a run of boxes too narrow to be shown */
  grey: (box: number) => boolean;
  /** another box of what is selected */
  related: (box: number) => boolean;
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
  /** rows that are not drawn: 1 leaves the root out */
  skipped?: number;
  /** the root stands at the bottom */
  upwards?: boolean;
}

/** The first row's place in the picture. */
export function rowTop(
  frame: Pick<IcicleFrame, 'rowHeight' | 'skipped' | 'upwards'>,
  rows: number,
  row: number,
): CssPixels {
  const place = row - (frame.skipped ?? 0);
  return (frame.upwards ? rows - 1 - (frame.skipped ?? 0) - place : place) * frame.rowHeight;
}

const gap: CssPixels = 1;
const narrowestLabel: CssPixels = 22;
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
  const overlay = hatchPattern(context, 'none', '--pk-ink');
  const labels: Label[] = [];
  for (let row = frame.skipped ?? 0; row < index.rows; row += 1) {
    const top = rowTop(frame, index.rows, row) - scrolled;
    if (top < -rowHeight || top > height) continue;
    for (const item of visibleBoxes(index, row, frame.begin, frame.end, width)) {
      const left = Math.max(-2, item.left);
      const right = Math.min(width + 2, item.right);
      if (item.box < 0 || look.grey(item.box)) {
        const isMatch = item.box >= 0 && look.matched?.(item.box);
        context.globalAlpha = look.matched && !isMatch ? 0.35 : 1;
        context.fillStyle = colour(isMatch ? '--text-3' : '--line-2');
        context.fillRect(left, top, Math.max(0.5, right - left), rowHeight - gap);
        continue;
      }
      drawBox(context, look, item.box, left, right, top, rowHeight, hatch, overlay);
      if (right - left - gap <= narrowestLabel) continue;
      const label = labelOf(look, item.box, left, right - gap, top + (rowHeight - gap) / 2 + 0.5);
      if (label) labels.push(label);
    }
  }
  drawLabels(context, labels);
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
  overlay: CanvasPattern | string,
): void {
  const dimmed = look.matched !== undefined && !look.matched(box);
  const drawnWidth = right - left > 2 * gap ? right - left - gap : right - left;
  const boxHeight = rowHeight - gap;
  const hatched = look.hatched(box);
  context.globalAlpha = dimmed ? 0.28 : 1;
  context.fillStyle = hatched ? hatch : colour(look.colour(box));
  context.fillRect(left, top, drawnWidth, boxHeight);
  const estimate = look.hatchedShare(box);
  if (estimate > 0) {
    const from = Math.max(left, left + (1 - estimate) * drawnWidth);
    context.globalAlpha = dimmed ? 0.12 : 0.42;
    context.fillStyle = overlay;
    context.fillRect(from, top, left + drawnWidth - from, boxHeight);
    context.globalAlpha = dimmed ? 0.28 : 1;
  }
  if (box === look.hovered) {
    context.globalAlpha = 0.12;
    context.fillStyle = colour('--text');
    context.fillRect(left, top, drawnWidth, boxHeight);
  }
  context.globalAlpha = 1;
  if (look.matched && !dimmed) {
    context.fillStyle = colour('--text');
    context.fillRect(left, top, drawnWidth, 2);
  }
  if (box !== look.selected && look.related(box)) {
    context.strokeStyle = colour('--accent');
    context.lineWidth = 1.5;
    context.strokeRect(left + 1, top + 1, Math.max(1, drawnWidth - 2), boxHeight - 2);
  }
  if (box === look.selected) {
    context.strokeStyle = colour('--text');
    context.lineWidth = 2;
    context.strokeRect(left + 1, top + 1, Math.max(1, drawnWidth - 2), boxHeight - 2);
  }
}

/** What is written on a box. */
interface Label {
  name: string;
  /** '' = there is no room for it */
  detail: string;
  share: string;
  left: CssPixels;
  right: CssPixels;
  detailLeft: CssPixels;
  middle: CssPixels;
  ink: string;
  alpha: number;
  italic: boolean;
}

/** The text stays in the visible part of a box that begins left of the window. */
function labelOf(
  look: IcicleLook,
  box: number,
  boxLeft: CssPixels,
  boxRight: CssPixels,
  middle: CssPixels,
): Label | undefined {
  const left = Math.max(0, boxLeft) + 5;
  const room = boxRight - 5 - left;
  const name = cutMiddle(look.name(box), nameFont, room);
  if (!name) return undefined;
  const used = textWidth(name, nameFont) + 8;
  const share = look.share(box);
  const shareWidth = textWidth(share, detailFont);
  const withShare = share !== '' && used + shareWidth + 12 <= room;
  const detailRoom = room - used - (withShare ? shareWidth + 12 : 0);
  const italic = look.hatched(box);
  return {
    name,
    detail: detailRoom > 40 ? cutMiddle(look.detail(box), detailFont, detailRoom) : '',
    share: withShare ? share : '',
    left,
    right: boxRight - 6,
    detailLeft: left + used,
    middle,
    ink: colour(italic ? '--text-2' : (look.ink?.(box) ?? '--pk-ink')),
    alpha: look.matched && !look.matched(box) ? 0.6 : 1,
    italic,
  };
}

/** Font by font: to change it takes a browser longer than to draw a word. */
function drawLabels(context: CanvasRenderingContext2D, labels: readonly Label[]): void {
  const write = (text: string, left: CssPixels, { middle, ink, alpha }: Label, strength = 1) => {
    if (!text) return;
    context.globalAlpha = alpha * strength;
    context.fillStyle = ink;
    context.fillText(text, left, middle);
  };
  context.font = nameFont;
  for (const label of labels) if (!label.italic) write(label.name, label.left, label);
  context.font = italicFont;
  for (const label of labels) if (label.italic) write(label.name, label.left, label);
  context.font = detailFont;
  for (const label of labels) write(label.detail, label.detailLeft, label, 0.72);
  context.textAlign = 'right';
  for (const label of labels) write(label.share, label.right, label);
  context.textAlign = 'left';
}
