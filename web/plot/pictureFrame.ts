/** What the drawers of a picture share. */

const namespace = 'http://www.w3.org/2000/svg';

/** What is being drawn, and where its corner lies on the screen [CSS px]. */
export interface Frame {
  left: number;
  top: number;
  leaveOut: string;
  definitions: SVGElement;
}

export type Attributes = Record<string, string | number>;

export function make(name: string, attributes: Attributes, into?: Element): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, tidy(value));
  into?.append(made);
  return made;
}

export const tidy = (value: string | number): string =>
  typeof value === 'number' ? String(Number(value.toFixed(2))) : value;

export const placed = (box: DOMRect, frame: Frame) => ({
  x: box.left - frame.left,
  y: box.top - frame.top,
  width: box.width,
  height: box.height,
});
