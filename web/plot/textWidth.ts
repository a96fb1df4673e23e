import type { CssPixels } from './useSize';

interface Widths {
  characters: Map<string, CssPixels>;
  /**
   * of the texts that were asked for last: a picture that moves asks for the same ones sixty times
   * a second
   */
  texts: Map<string, CssPixels>;
}

const mostTexts = 5000;

/**
 * Text widths without asking the browser for every string: the widths of single characters of a
 * font are measured once and summed. Kerning is ignored, which errs by less than the margin that
 * labels keep.
 */
const fonts = new Map<string, Widths>();
let pen: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, font: string): CssPixels {
  let widths = fonts.get(font);
  if (!widths) {
    widths = { characters: new Map(), texts: new Map() };
    fonts.set(font, widths);
  }
  let width = widths.texts.get(text);
  if (width === undefined) {
    width = summedWidth(text, font, widths.characters);
    if (widths.texts.size >= mostTexts) widths.texts.clear();
    widths.texts.set(text, width);
  }
  return width;
}

function summedWidth(text: string, font: string, widths: Map<string, CssPixels>): CssPixels {
  if (pen === undefined) pen = document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 7;
  let total = 0;
  for (const character of text) {
    let width = widths.get(character);
    if (width === undefined) {
      pen.font = font;
      width = pen.measureText(character).width;
      widths.set(character, width);
    }
    total += width;
  }
  return total;
}

/** Less of a name says nothing. */
const fewestCharacters = 5;

/** `text` if it fits, else cut with an ellipsis; '' when not even five characters fit. */
export function cutText(text: string, font: string, room: CssPixels, width = textWidth): string {
  if (width(text, font) <= room) return text;
  const left = room - width('…', font);
  let used = 0;
  let characters = 0;
  for (const character of text) {
    used += width(character, font);
    if (used > left) break;
    characters += character.length;
  }
  return characters < fewestCharacters ? '' : `${text.slice(0, characters)}…`;
}

/**
 * `text` if it fits, else without its middle, which says least: "broadcast…_apply". '' when not
 * even five characters fit.
 */
export function cutMiddle(text: string, font: string, room: CssPixels, width = textWidth): string {
  if (width(text, font) <= room) return text;
  const characters = Array.from(text);
  let left = room - width('…', font);
  let head = 0;
  let tail = 0;
  while (head + tail < characters.length) {
    const fromHead = head <= tail;
    const next = characters[fromHead ? head : characters.length - 1 - tail] ?? '';
    left -= width(next, font);
    if (left < 0) break;
    if (fromHead) head += 1;
    else tail += 1;
  }
  if (head + tail < fewestCharacters) return '';
  return `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
}

export const chartFont = (size: number, weight = 400): string =>
  `${weight} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
