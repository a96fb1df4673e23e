/**
 * A part of the page as a picture of its own: boxes, text and marks as they are shown, with no
 * reference to the page.
 */
import { type Attributes, type Frame, make, placed, tidy } from './pictureFrame';
import { referencesOf, styledCopy } from './pictureMarks';
import { drawText } from './pictureText';

export interface PictureOptions {
  /** lines above the picture */
  heading?: readonly string[];
  /** a selector of what is not drawn: controls */
  leaveOut?: string;
}

const headingLine = 18;
const margin = 12;

/**
 * `element` as SVG. Canvases are embedded as images; text stays text. What has been scrolled away
 * is left out.
 */
export function svgOf(
  element: Element,
  { heading = [], leaveOut = '' }: PictureOptions = {},
): string {
  const box = element.getBoundingClientRect();
  const above = heading.length * headingLine;
  const width = Math.ceil(box.width) + 2 * margin;
  const height = Math.ceil(box.height) + above + 2 * margin;
  const root = make('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  const definitions = make('defs', {}, root);
  make('rect', { width, height, fill: groundOf(element) }, root);
  const { color, fontFamily, paddingLeft } = getComputedStyle(element);
  const x = margin + (Number.parseFloat(paddingLeft) || 0);
  for (const [index, line] of heading.entries()) {
    const y = margin + (index + 0.7) * headingLine;
    const weight = index === 0 ? 600 : 400;
    const text = {
      x,
      y,
      fill: color,
      'font-family': fontFamily,
      'font-size': 12,
      'font-weight': weight,
    };
    make('text', text, root).textContent = line;
  }
  const frame = { left: box.left - margin, top: box.top - above - margin, leaveOut, definitions };
  drawChildren(element, root, frame);
  for (const id of referencesOf(root)) adoptDefinition(id, root, definitions);
  return new XMLSerializer().serializeToString(root);
}

/** An SVG drawn into pixels, `scale` for each of its own. */
export async function pngOf(svg: string, scale = 2): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('the browser could not make a picture of it')),
    );
  });
}

const seen = (colour: string): boolean =>
  colour !== 'transparent' && !/,\s*0\)$|\/\s*0\)$/.test(colour);

/** The colour behind an element: its own or the nearest one beneath. */
function groundOf(element: Element | null): string {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (seen(backgroundColor)) return backgroundColor;
  }
  return 'white';
}

function drawChildren(element: Element, into: SVGElement, frame: Frame): void {
  for (const node of element.childNodes) {
    if (node instanceof Text) drawText(node, into, frame);
    else if (node instanceof Element) drawElement(node, into, frame);
  }
}

function drawElement(element: Element, into: SVGElement, frame: Frame): void {
  if (frame.leaveOut && element.matches(frame.leaveOut)) return;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.display === 'none' || style.opacity === '0') return;
  // text for screen readers only
  if (box.width <= 1 && box.height <= 1 && style.overflow === 'hidden') return;
  const group = groupFor(element, style, box, into, frame);
  if (style.visibility === 'visible') drawBox(style, box, group, frame);
  if (element instanceof SVGSVGElement) drawSvg(element, box, group, frame);
  else if (element instanceof HTMLCanvasElement) drawCanvas(element, box, group, frame);
  else drawChildren(element, group, frame);
}

/** `into`, or a group in it where the element is clipped or seen through. */
function groupFor(
  element: Element,
  style: CSSStyleDeclaration,
  box: DOMRect,
  into: SVGElement,
  frame: Frame,
) {
  const clips = style.overflowX !== 'visible' && !(element instanceof SVGElement);
  const overflows =
    element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
  const attributes: Attributes = {};
  if (style.opacity !== '1') attributes.opacity = style.opacity;
  if (clips && overflows) {
    const id = `clip-${frame.definitions.childElementCount}`;
    make('rect', placed(box, frame), make('clipPath', { id }, frame.definitions));
    attributes['clip-path'] = `url(#${id})`;
  }
  return Object.keys(attributes).length > 0 ? make('g', attributes, into) : into;
}

function drawBox(style: CSSStyleDeclaration, box: DOMRect, into: SVGElement, frame: Frame): void {
  const place = placed(box, frame);
  const radius = Math.min(
    Number.parseFloat(style.borderTopLeftRadius) || 0,
    box.width / 2,
    box.height / 2,
  );
  const round: Attributes = radius > 0 ? { rx: radius } : {};
  if (seen(style.backgroundColor))
    make('rect', { ...place, ...round, fill: style.backgroundColor }, into);
  const colours = style.backgroundImage.match(/rgba?\([^)]*\)/g) ?? [];
  if (style.backgroundImage.startsWith('repeating-linear-gradient') && colours.length > 1) {
    make(
      'rect',
      { ...place, ...round, fill: `url(#${hatch(colours[0], colours.at(-1), frame)})` },
      into,
    );
  } else if (style.backgroundImage.startsWith('linear-gradient') && colours.length > 1) {
    make('rect', { ...place, ...round, fill: `url(#${gradient(colours, frame)})` }, into);
  }
  const { x, y, width, height } = place;
  const sides = [
    ['Top', x, y, x + width, y],
    ['Right', x + width, y, x + width, y + height],
    ['Bottom', x, y + height, x + width, y + height],
    ['Left', x, y, x, y + height],
  ] as const;
  const borders = sides.map(([side, x1, y1, x2, y2]) => {
    const stroke = style[`border${side}Color`];
    const shown = style[`border${side}Style`] !== 'none' && seen(stroke);
    const thickness = shown ? Number.parseFloat(style[`border${side}Width`]) || 0 : 0;
    const dashes: Attributes =
      style[`border${side}Style`] === 'dashed' ? { 'stroke-dasharray': '4 3' } : {};
    return {
      thickness,
      line: { x1, y1, x2, y2 },
      pen: { stroke, 'stroke-width': thickness, ...dashes },
    };
  });
  const [first] = borders;
  if (first && first.thickness > 0 && borders.every(({ pen }) => pen.stroke === first.pen.stroke)) {
    const inset = first.thickness / 2;
    if (borders.every(({ thickness }) => thickness === first.thickness)) {
      const inner = {
        x: x + inset,
        y: y + inset,
        width: width - 2 * inset,
        height: height - 2 * inset,
      };
      make('rect', { ...inner, ...round, fill: 'none', ...first.pen }, into);
      return;
    }
  }
  for (const { thickness, line, pen } of borders)
    if (thickness > 0) make('line', { ...line, ...pen }, into);
}

function hatch(ink = '', ground = '', frame: Frame): string {
  const id = `hatch-${frame.definitions.childElementCount}`;
  const pattern = make(
    'pattern',
    { id, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    frame.definitions,
  );
  make('rect', { width: 6, height: 6, fill: ground }, pattern);
  make('path', { d: 'M-1 1L1 -1M0 6L6 0M5 7L7 5', stroke: ink, 'stroke-width': 1.2 }, pattern);
  return id;
}

function gradient(colours: readonly string[], frame: Frame): string {
  const id = `gradient-${frame.definitions.childElementCount}`;
  const made = make('linearGradient', { id }, frame.definitions);
  for (const [index, colour] of colours.entries()) {
    make('stop', { offset: index / (colours.length - 1), 'stop-color': colour }, made);
  }
  return id;
}

function drawCanvas(canvas: HTMLCanvasElement, box: DOMRect, into: SVGElement, frame: Frame): void {
  if (canvas.width === 0 || canvas.height === 0) return;
  make(
    'image',
    { ...placed(box, frame), preserveAspectRatio: 'none', href: canvas.toDataURL() },
    into,
  );
}

function drawSvg(svg: SVGSVGElement, box: DOMRect, into: SVGElement, frame: Frame): void {
  const copy = styledCopy(svg);
  for (const [name, value] of Object.entries(placed(box, frame)))
    copy.setAttribute(name, tidy(value));
  into.append(copy);
}

/** Patterns may be defined in another chart of the page. */
function adoptDefinition(id: string, root: Element, definitions: Element): void {
  if (root.querySelector(`[id="${CSS.escape(id)}"]`)) return;
  const definition = document.getElementById(id);
  if (definition) definitions.append(styledCopy(definition));
}
