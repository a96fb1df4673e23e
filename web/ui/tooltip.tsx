import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hearBefore, useKeys } from './keys';

interface Shown {
  x: number;
  y: number;
  content: ComponentChildren;
  /** by click: stays until the next click or Esc */
  pinned: boolean;
  /** called when it is closed */
  onClose?: (() => void) | undefined;
}

const shown = signal<Shown | undefined>(undefined);

export function showTooltip(x: number, y: number, content: ComponentChildren): void {
  if (!shown.value?.pinned) shown.value = { x, y, content, pinned: false };
}

export function hideTooltip(): void {
  if (!shown.value?.pinned) shown.value = undefined;
}

/** Shows `content` until the next click or Esc, and tells when it is closed. */
export function showPinned(
  x: number,
  y: number,
  content: ComponentChildren,
  onClose?: () => void,
): void {
  shown.value = { x, y, content, pinned: true, onClose };
}

export const isTooltipPinned = (): boolean => shown.value?.pinned ?? false;

/** Keeps or releases the tooltip that is shown. */
export function pinTooltip(): void {
  const now = shown.peek();
  if (now?.pinned) closeTooltip();
  else if (now) shown.value = { ...now, pinned: true };
}

/** Closes what is shown, pinned or not. */
export function closeTooltip(): void {
  const now = shown.peek();
  shown.value = undefined;
  now?.onClose?.();
}

const tooltipId = 'tooltip';

/** Handlers that show `content` while the pointer or the focus is on an element. */
export function tooltipOn(content: () => ComponentChildren) {
  return {
    onPointerEnter: (event: PointerEvent) => showTooltip(event.clientX, event.clientY, content()),
    onPointerMove: (event: PointerEvent) => showTooltip(event.clientX, event.clientY, content()),
    onPointerLeave: hideTooltip,
    onFocus: ({ currentTarget }: FocusEvent) => {
      if (!(currentTarget instanceof Element)) return;
      const box = currentTarget.getBoundingClientRect();
      // a click focuses too: then the pointer has already placed it
      if (!shown.value) showTooltip(box.left, box.bottom - 8, content());
      // read aloud with what has the focus
      currentTarget.setAttribute('aria-describedby', tooltipId);
    },
    onBlur: ({ currentTarget }: FocusEvent) => {
      hideTooltip();
      if (currentTarget instanceof Element) currentTarget.removeAttribute('aria-describedby');
    },
  };
}

/** Whoever answers the wheel or the key may show it anew: a plot's arrow keys go to the next mark. */
const beforeOthers = { capture: true, passive: true };

/** Keys that leave the view as it is: Enter pins, the others do nothing alone. */
const stillKeys: ReadonlySet<string> = new Set(['Enter', 'Shift', 'Control', 'Alt', 'Meta']);

function hideByKey({ key }: KeyboardEvent): void {
  if (!stillKeys.has(key)) hideTooltip();
}

const offset = 12;
const margin = 6;

const within = (start: number, length: number, room: number): number =>
  Math.max(margin, Math.min(start, room - length - margin));

/**
 * The one tooltip of the page, above everything; it flips at the window's edges. Esc closes one
 * that is kept; the wheel and keys put away one that is not: what it spoke of moves under it.
 */
export function TooltipLayer() {
  const ref = useRef<HTMLDivElement>(null);
  const now = shown.value;
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !now) return;
    if (!element.matches(':popover-open')) element.showPopover();
    const place = () => {
      const { width, height } = element.getBoundingClientRect();
      const right = now.x + offset + width + margin <= window.innerWidth;
      const below = now.y + offset + height + margin <= window.innerHeight;
      const left = right ? now.x + offset : now.x - offset - width;
      const top = below ? now.y + offset : now.y - offset - height;
      element.style.left = `${within(left, width, window.innerWidth)}px`;
      element.style.top = `${within(top, height, window.innerHeight)}px`;
    };
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [now]);
  useKeys('tooltip', { Escape: closeTooltip }, now?.pinned ?? false);
  const passing = now !== undefined && !now.pinned;
  useLayoutEffect(() => {
    if (!passing) return;
    const deaf = hearBefore(hideByKey);
    document.addEventListener('wheel', hideTooltip, beforeOthers);
    return () => {
      deaf();
      document.removeEventListener('wheel', hideTooltip, beforeOthers);
    };
  }, [passing]);
  if (!now) return null;
  return (
    <div
      ref={ref}
      id={tooltipId}
      popover="manual"
      class={now.pinned ? 'tooltip small tooltip-pinned' : 'tooltip small'}
      role="tooltip"
      data-testid="tooltip"
    >
      {now.content}
    </div>
  );
}
