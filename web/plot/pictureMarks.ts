/** Charts for a picture: their marks without the page's style sheets. */

const inherited = [
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'letter-spacing',
];
/** What style sheets may say of marks, and the value that need not be written. */
const marks: Record<string, string> = {
  fill: 'rgb(0, 0, 0)',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  'stroke-opacity': '1',
  opacity: '1',
  'paint-order': 'normal',
  'clip-path': 'none',
  'stop-color': 'rgb(0, 0, 0)',
};

/** A copy whose looks no longer need the page's style sheets. */
export function styledCopy(original: Element): Element {
  const copy = original.cloneNode(true) as Element;
  const originals = [original, ...original.querySelectorAll('*')];
  for (const [index, twin] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const source = originals[index];
    if (!source) continue;
    const style = getComputedStyle(source);
    // what is hidden by a class has no class any more
    if (
      style.visibility === 'hidden' ||
      (style.display === 'none' && source.closest('defs') === null)
    ) {
      twin.setAttribute('display', 'none');
    }
    for (const { name } of [...twin.attributes]) {
      if (/^(class|style|tabindex|role|on.*|data-.*|aria-.*)$/.test(name))
        twin.removeAttribute(name);
    }
    for (const [name, initial] of Object.entries(marks)) {
      const value = style.getPropertyValue(name);
      if (value && (value !== initial || twin.hasAttribute(name))) twin.setAttribute(name, value);
    }
    if (/^(text|tspan)$/.test(twin.tagName)) {
      for (const name of inherited) twin.setAttribute(name, style.getPropertyValue(name));
    }
    if (style.transform !== 'none' && !twin.hasAttribute('transform'))
      twin.setAttribute('transform', style.transform);
  }
  return copy;
}

/** The ids that fills and clips name. */
export function referencesOf(root: Element): Set<string> {
  const ids = new Set<string>();
  for (const element of root.querySelectorAll(
    '[fill^="url"], [clip-path^="url"], [stroke^="url"], use',
  )) {
    for (const { value } of element.attributes) {
      const id = /^url\(["']?#([^"')]+)|^#(.+)/.exec(value);
      if (id) ids.add(id[1] ?? id[2] ?? '');
    }
  }
  return ids;
}
