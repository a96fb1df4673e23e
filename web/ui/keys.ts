import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The one way of keys through the page. What has the focus comes first (`ownKeys`), then the layers
 * from the top: a key ends where it is taken. A dialog covers all: beneath it nobody hears.
 */
const layers = ['dialog', 'menu', 'tooltip', 'panel', 'view', 'page'] as const;
export type Layer = (typeof layers)[number];

/**
 * What keys do. A key is named by what it writes ("Escape", "?", letters small) or by its place on
 * the keyboard ("KeyW"), with "Ctrl+" and "Shift+" before it where Control (or Command) is held.
 * Alt belongs to the browser. An action that returns false has not taken the key.
 */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

interface Listener {
  current: Keys;
}

const listeners = new Map<Layer, Listener[]>(layers.map((layer) => [layer, []]));

/**
 * `keys` hold while the component is there and `active`. Of one layer, who came last is asked
 * first.
 */
export function useKeys(layer: Layer, keys: Keys, active = true): void {
  const now = useRef(keys);
  now.current = keys;
  useLayoutEffect(() => (active ? listen(layer, now) : undefined), [layer, active]);
}

/** The same outside of components: `listener` is heard until the returned function is called. */
export function listen(layer: Layer, listener: Listener): () => void {
  const among = listeners.get(layer) ?? [];
  among.unshift(listener);
  return () => among.splice(among.indexOf(listener), 1);
}

/** The `onKeyDown` of an element with keys of its own. */
export const ownKeys =
  (keys: Keys) =>
  (event: KeyboardEvent): void => {
    if (!event.defaultPrevented) take(keys, event);
  };

/** Hears all keys that no element has taken. */
export function dispatchKeys(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || belongsToTarget(event)) return;
  for (const layer of layers) {
    const among = listeners.get(layer) ?? [];
    if ([...among].some((listener) => take(listener.current, event))) return;
    if (layer === 'dialog' && among.length > 0) return;
  }
}

/** `hear` is told of every key before anyone takes it, until the returned function is called. */
export function hearBefore(hear: (event: KeyboardEvent) => void): () => void {
  window.addEventListener('keydown', hear, { capture: true });
  return () => window.removeEventListener('keydown', hear, { capture: true });
}

if (typeof window !== 'undefined') window.addEventListener('keydown', dispatchKeys);

function take(keys: Keys, event: KeyboardEvent): boolean {
  const action = namesOf(event)
    .map((name) => (Object.hasOwn(keys, name) ? keys[name] : undefined))
    .find(Boolean);
  if (!action || action(event) === false) return false;
  event.preventDefault();
  return true;
}

/** What it writes comes before its place. */
function namesOf(event: KeyboardEvent): string[] {
  if (event.altKey) return [];
  const held = event.ctrlKey || event.metaKey ? (event.shiftKey ? 'Ctrl+Shift+' : 'Ctrl+') : '';
  // a keyboard of another script has no Latin letters: there the place counts
  const [, place = ''] = /^Key([A-Z])$/.exec(event.code) ?? [];
  const written = event.key.length === 1 && event.key > '\u007f' && place ? place : event.key;
  return [held + (written.length === 1 ? written.toLowerCase() : written), held + event.code];
}

/**
 * Keys are the text's own while one writes, but for Escape; Enter and the space bar press what has
 * the focus.
 */
function belongsToTarget({ key, target }: KeyboardEvent): boolean {
  if (isTyping(target)) return key !== 'Escape';
  return (
    (key === 'Enter' || key === ' ') &&
    target instanceof Element &&
    target.closest('button, a, summary') !== null
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && target.type !== 'radio'));
