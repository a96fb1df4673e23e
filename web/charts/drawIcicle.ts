import { Fills } from './fills';
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
  const shown: ShownBox[] = [];
  const fills = new Fills(context);
  for (let row = frame.skipped ?? 0; row < index.rows; row += 1) {
    const top = rowTop(frame, index.rows, row) - scrolled;
    if (top < -rowHeight || top > height) continue;
    for (const item of visibleBoxes(index, row, frame.begin, frame.end, width)) {
      const left = Math.max(-2, item.left);
      const whole = Math.min(width + 2, item.right) - left;
      if (item.box < 0 || look.grey(item.box)) {
        const isMatch = item.box >= 0 && look.matched?.(item.box);
        const alpha = look.matched && !isMatch ? 0.35 : 1;
        fills.add(colour(isMatch ? '--text-3' : '--line-2'), alpha, left, top, Math.max(0.5, whole), rowHeight - gap);
        continue;
      }
      const { box } = item;
      const dimmed = look.matched !== undefined && !look.matched(box);
      const drawnWidth = whole > 2 * gap ? whole - gap : whole;
      fills.add(
        look.hatched(box) ? hatch : colour(look.colour(box)),
        dimmed ? 0.28 : 1,
        left,
        top,
        drawnWidth,
        rowHeight - gap,
      );
      shown.push({ box, left, top, width: drawnWidth, height: rowHeight - gap, dimmed });
    }
  }
  fills.finish();
  drawEstimates(context, look, shown);
  drawMarks(context, look, shown);
  drawLabels(
    context,
    shown.flatMap((box) => labelOf(look, box) ?? []),
  );
  context.globalAlpha = 1;
}

/** A box as it stands on the canvas. */
interface ShownBox {
  box: number;
  left: CssPixels;
  top: CssPixels;
  /** without the gap to the next */
  width: CssPixels;
  height: CssPixels;
  /** a search is on, and it does not match */
  dimmed: boolean;
}

function drawEstimates(context: CanvasRenderingContext2D, look: IcicleLook, shown: readonly ShownBox[]): void {
  const overlay = hatchPattern(context, 'none', '--pk-ink');
  const fills = new Fills(context);
  for (const { box, left, top, width, height, dimmed } of shown) {
    const estimate = look.hatchedShare(box);
    if (!(estimate > 0)) continue;
    const from = Math.max(left, left + (1 - estimate) * width);
    fills.add(overlay, dimmed ? 0.12 : 0.42, from, top, left + width - from, height);
  }
  fills.finish();
}

/** The box under the pointer, what matches the search, what is selected. */
function drawMarks(context: CanvasRenderingContext2D, look: IcicleLook, shown: readonly ShownBox[]): void {
  const fills = new Fills(context);
  for (const { box, left, top, width, height, dimmed } of shown) {
    if (box === look.hovered) fills.add(colour('--text'), 0.12, left, top, width, height);
    if (look.matched && !dimmed) fills.add(colour('--text'), 1, left, top, width, 2);
  }
  fills.finish();
  context.globalAlpha = 1;
  for (const { box, left, top, width, height } of shown) {
    const isSelected = box === look.selected;
    if (!isSelected && !look.related(box)) continue;
    context.strokeStyle = colour(isSelected ? '--text' : '--accent');
    context.lineWidth = isSelected ? 2 : 1.5;
    context.strokeRect(left + 1, top + 1, Math.max(1, width - 2), height - 2);
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
function labelOf(look: IcicleLook, shown: ShownBox): Label | undefined {
  if (shown.width <= narrowestLabel) return undefined;
  const { box } = shown;
  const left = Math.max(0, shown.left) + 5;
  const right = shown.left + shown.width;
  const room = right - 5 - left;
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
    right: right - 6,
    detailLeft: left + used,
    middle: shown.top + shown.height / 2 + 0.5,
    ink: colour(italic ? '--text-2' : (look.ink?.(box) ?? '--pk-ink')),
    alpha: shown.dimmed ? 0.6 : 1,
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
