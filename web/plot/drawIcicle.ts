import { paintBox } from './boxPixels';
import { Fills } from './fills';
import { hatchPattern } from './hatch';
import { type IcicleIndex, visibleBoxes } from './icicleLayout';
import { colour } from './palette';
import { PixelBuffer, pixelOf } from './pixels';
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
/** Of what does not match, while a search is on. */
const dimmedAlpha = 0.28;
const narrowestLabel: CssPixels = 22;
const nameFont = chartFont(12);
const italicFont = `italic ${nameFont}`;
const detailFont = chartFont(11);

/**
 * Boxes, a row of pixels for each row of them. One is enough: pictures are drawn one after the
 * other.
 */
const buffer = new PixelBuffer();

export function drawIcicle(
  context: CanvasRenderingContext2D,
  index: IcicleIndex,
  look: IcicleLook,
  frame: IcicleFrame,
): void {
  const { width, height, ratio } = frame;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  const shown = drawBoxes(context, index, look, frame);
  drawHatched(context, look, shown);
  drawEstimates(context, look, shown);
  drawMarks(context, look, shown);
  drawLabels(
    context,
    shown.flatMap((box) => labelOf(look, box) ?? []),
  );
  context.globalAlpha = 1;
}

/**
 * Everything in one colour; gives back the boxes, without what only stands for many. Pixel by
 * pixel: to tell a canvas of a thousand narrow rectangles takes longer than the rest of the
 * picture.
 */
function drawBoxes(
  context: CanvasRenderingContext2D,
  index: IcicleIndex,
  look: IcicleLook,
  frame: IcicleFrame,
): ShownBox[] {
  const { begin, end, width, height, ratio, rowHeight, scrolled } = frame;
  const highest = Math.floor(scrolled / rowHeight);
  const rows = Math.ceil((scrolled + height) / rowHeight) - highest;
  const columns = Math.round(width * ratio);
  buffer.clear(columns, rows);
  const add = (row: number, token: string, alpha: number, left: CssPixels, boxWidth: CssPixels) => {
    paintBox(
      buffer.pixels,
      columns,
      row,
      pixelOf(token),
      alpha,
      left * ratio,
      (left + boxWidth) * ratio,
    );
  };
  const shown: ShownBox[] = [];
  for (let depth = frame.skipped ?? 0; depth < index.rows; depth += 1) {
    const row = rowTop(frame, index.rows, depth) / rowHeight - highest;
    if (row < 0 || row >= rows) continue;
    const top = (highest + row) * rowHeight - scrolled;
    for (const { box, left: from, right: to } of visibleBoxes(index, depth, begin, end, width)) {
      const left = Math.max(-2, from);
      const whole = Math.min(width + 2, to) - left;
      const isMatch = box >= 0 && look.matched?.(box);
      const dimmed = look.matched !== undefined && !isMatch;
      if (box < 0 || look.grey(box)) {
        add(row, isMatch ? '--text-3' : '--line-2', dimmed ? 0.35 : 1, left, Math.max(0.5, whole));
        continue;
      }
      const drawnWidth = whole > 2 * gap ? whole - gap : whole;
      if (!look.hatched(box))
        add(row, look.colour(box), dimmed ? dimmedAlpha : 1, left, drawnWidth);
      shown.push({ box, left, top, width: drawnWidth, height: rowHeight - gap, dimmed });
    }
  }
  buffer.drawOn(context, 0, highest * rowHeight - scrolled, columns / ratio, rows * rowHeight);
  for (let row = 1; row <= rows; row += 1)
    context.clearRect(0, (highest + row) * rowHeight - scrolled - gap, width, gap);
  return shown;
}

/** What is not known is hatched instead of coloured. */
function drawHatched(
  context: CanvasRenderingContext2D,
  look: IcicleLook,
  shown: readonly ShownBox[],
): void {
  const hatched = shown.filter(({ box }) => look.hatched(box));
  if (hatched.length === 0) return;
  const hatch = hatchPattern(context, '--surface', '--line-2');
  const fills = new Fills(context);
  for (const { left, top, width, height, dimmed } of hatched)
    fills.add(hatch, dimmed ? dimmedAlpha : 1, left, top, width, height);
  fills.finish();
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

function drawEstimates(
  context: CanvasRenderingContext2D,
  look: IcicleLook,
  shown: readonly ShownBox[],
): void {
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
function drawMarks(
  context: CanvasRenderingContext2D,
  look: IcicleLook,
  shown: readonly ShownBox[],
): void {
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

/**
 * Font by font, and colour by colour as they come: to change them takes a browser longer than to
 * draw a word.
 */
function drawLabels(context: CanvasRenderingContext2D, labels: readonly Label[]): void {
  let style = '';
  let strength = 0;
  const write = (text: string, left: CssPixels, { middle, ink, alpha }: Label, ofAlpha = 1) => {
    if (!text) return;
    if (alpha * ofAlpha !== strength) {
      strength = alpha * ofAlpha;
      context.globalAlpha = strength;
    }
    if (ink !== style) {
      style = ink;
      context.fillStyle = ink;
    }
    context.fillText(text, left, middle);
  };
  context.font = nameFont;
  for (const label of labels) if (!label.italic) write(label.name, label.left, label);
  if (labels.some((label) => label.italic)) {
    context.font = italicFont;
    for (const label of labels) if (label.italic) write(label.name, label.left, label);
  }
  context.font = detailFont;
  for (const label of labels) write(label.detail, label.detailLeft, label, 0.72);
  context.textAlign = 'right';
  for (const label of labels) write(label.share, label.right, label);
  context.textAlign = 'left';
}
