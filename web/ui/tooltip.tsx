import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Shown {
  x: number;
  y: number;
  content: ComponentChildren;
  /** by click: stays until the next click or Esc */
  pinned: boolean;
}

const shown = signal<Shown | undefined>(undefined);

export function showTooltip(x: number, y: number, content: ComponentChildren): void {
  if (!shown.value?.pinned) shown.value = { x, y, content, pinned: false };
}

export function hideTooltip(): void {
  if (!shown.value?.pinned) shown.value = undefined;
}

/** Shows `content` until the next click or Esc. */
export function showPinned(x: number, y: number, content: ComponentChildren): void {
  shown.value = { x, y, content, pinned: true };
}

export const isTooltipPinned = (): boolean => shown.value?.pinned ?? false;

/** Keeps or releases the tooltip that is shown. */
export function pinTooltip(): void {
  const now = shown.value;
  if (now) shown.value = now.pinned ? undefined : { ...now, pinned: true };
}

/** Closes what is shown, pinned or not; true when it was pinned. */
export function closeTooltip(): boolean {
  const pinned = shown.value?.pinned ?? false;
  shown.value = undefined;
  return pinned;
}

/** Handlers that show `content` while the pointer or the focus is on an element. */
export function tooltipOn(content: () => ComponentChildren) {
  return {
    onPointerEnter: (event: PointerEvent) => showTooltip(event.clientX, event.clientY, content()),
    onPointerMove: (event: PointerEvent) => showTooltip(event.clientX, event.clientY, content()),
    onPointerLeave: hideTooltip,
    onFocus: (event: FocusEvent) => {
      const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;
      // a click focuses too: then the pointer has already placed it
      if (box && !shown.value) showTooltip(box.left, box.bottom - 8, content());
    },
    onBlur: hideTooltip,
  };
}

const clamp = (value: number, lo: number, hi: number): number => Math.max(lo, Math.min(value, hi));

const offset = 12;
const margin = 6;

/** The one tooltip of the page; it flips at the window's edges. */
export function TooltipLayer() {
  const ref = useRef<HTMLDivElement>(null);
  const now = shown.value;
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !now) return;
    const place = () => {
      const { width, height } = element.getBoundingClientRect();
      const right = now.x + offset + width + margin <= window.innerWidth;
      const below = now.y + offset + height + margin <= window.innerHeight;
      const left = right ? now.x + offset : now.x - offset - width;
      const top = below ? now.y + offset : now.y - offset - height;
      element.style.left = `${clamp(left, margin, Math.max(margin, window.innerWidth - width - margin))}px`;
      element.style.top = `${clamp(top, margin, Math.max(margin, window.innerHeight - height - margin))}px`;
    };
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [now]);
  if (!now) return null;
  return (
    <div ref={ref} class={now.pinned ? 'tooltip tooltip-pinned' : 'tooltip'} role="tooltip" data-testid="tooltip">
      {now.content}
    </div>
  );
}
