/** Text for a picture, line by line as it is shown. */
import { type Attributes, type Frame, make } from './pictureFrame';

/** The text of a node, a <text> for each line it is broken into. */
export function drawText(node: Text, into: SVGElement, frame: Frame): void {
  const element = node.parentElement;
  if (!element || !node.data.trim()) return;
  const style = getComputedStyle(element);
  if (style.visibility !== 'visible') return;
  const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { ascent, descent } = fontBox(font);
  const atEnd = style.textAlign === 'right' || style.textAlign === 'end';
  for (const { text, box } of linesOf(node, shownEnd(element, style))) {
    const attributes: Attributes = {
      x: (atEnd ? box.right : box.left) - frame.left,
      y: box.top - frame.top + (box.height - ascent - descent) / 2 + ascent,
      fill: style.color,
      'font-family': style.fontFamily,
      'font-size': style.fontSize,
      'font-weight': style.fontWeight,
    };
    if (atEnd) attributes['text-anchor'] = 'end';
    if (style.fontStyle !== 'normal') attributes['font-style'] = style.fontStyle;
    if (style.fontVariantNumeric !== 'normal')
      attributes['font-variant'] = style.fontVariantNumeric;
    if (style.letterSpacing !== 'normal') attributes['letter-spacing'] = style.letterSpacing;
    make('text', attributes, into).textContent =
      style.textTransform === 'uppercase' ? text.toUpperCase() : text;
  }
}

/** Where text that ends in "…" on the page has to end; Infinity for other text. */
function shownEnd(element: Element, style: CSSStyleDeclaration): number {
  const cut = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
  return cut ? element.getBoundingClientRect().right : Number.POSITIVE_INFINITY;
}

function linesOf(node: Text, end: number): { text: string; box: DOMRect }[] {
  const range = document.createRange();
  const lines: { text: string; box: DOMRect }[] = [];
  const first = node.data.search(/\S/);
  range.setStart(node, first);
  range.setEnd(node, node.data.trimEnd().length);
  const whole = range.getBoundingClientRect();
  const text = range.toString().replace(/\s+/g, ' ');
  if (range.getClientRects().length <= 1 && whole.right <= end + 1) return [{ text, box: whole }];
  let at = first;
  for (const letter of range.toString()) {
    range.setStart(node, at);
    at += letter.length;
    range.setEnd(node, at);
    const box = range.getBoundingClientRect();
    const line = lines.at(-1);
    if (!line || (box.width > 0 && Math.abs(box.top - line.box.top) > box.height / 2))
      lines.push({ text: letter, box });
    else if (box.right <= end - box.height / 2) {
      line.text += letter;
      line.box = new DOMRect(
        line.box.left,
        line.box.top,
        box.right - line.box.left,
        line.box.height,
      );
    } else if (!line.text.endsWith('…')) line.text += '…';
  }
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim() }));
}

let ruler: CanvasRenderingContext2D | null | undefined;

function fontBox(font: string): { ascent: number; descent: number } {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) return { ascent: 0, descent: 0 };
  ruler.font = font;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = ruler.measureText('x');
  return { ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
}
