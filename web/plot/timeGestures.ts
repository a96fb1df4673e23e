import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ownKeys } from '../ui/keys';
import { clamp, lastNotAbove } from './numbers';
import {
  isWhole,
  panned,
  type Range,
  rounded,
  type TimeAxis,
  wheelFactor,
  within,
  zoomed,
} from './timeAxis';

export interface TimeGestures {
  axis: TimeAxis;
  /** the surface shows the whole axis, not the visible part */
  whole: boolean;
  selected: Range | undefined;
  /** `done` when the drag is over; `undefined` clears */
  onSelect: (range: Range | undefined, done: boolean) => void;
  onDragging: (dragging: boolean) => void;
  onHover?: ((event: PointerEvent | undefined, position: number) => void) | undefined;
  /** a press without a drag; true when it was taken */
  onClick?: ((event: PointerEvent, position: number) => boolean) | undefined;
  onDoubleClick?: ((event: MouseEvent, position: number) => void) | undefined;
  /** ascending: the arrow keys go from one to the next */
  samples?: ArrayLike<number> | undefined;
}

/** A drag shorter than this is a click. */
const clickPixels = 3;
const handlePixels = 5;

interface Drag {
  anchor: number;
  startX: number;
  moved: boolean;
}

/**
 * The gestures of a surface over a time axis: drag selects or moves an edge, wheel pans, Ctrl-wheel
 * and two fingers zoom where they are, arrows move the cursor.
 */
export function useTimeGestures(ref: RefObject<HTMLElement | null>, gestures: TimeGestures) {
  const drag = useRef<Drag | undefined>(undefined);
  const fingers = useRef(new Map<number, number>());
  // listeners that are registered once must see what holds now
  const now = useRef(gestures);
  now.current = gestures;
  const { axis, whole } = gestures;

  const shown = (): Range => (whole ? axis.extent.peek() : axis.visible.peek());
  const positionAt = (clientX: number): number => {
    const box = ref.current?.getBoundingClientRect();
    const [begin, end] = shown();
    if (!box) return begin;
    const position = begin + ((clientX - box.left) / box.width) * (end - begin);
    return clamp(rounded(position, end - begin), begin, end);
  };

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    // registered by hand: a passive listener may not keep the page from zooming
    const onWheel = (event: WheelEvent) => {
      const extent = axis.extent.peek();
      const visible = axis.visible.peek();
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        axis.visible.value = zoomed(visible, extent, positionAt(event.clientX), wheelFactor(event));
      } else if (!isWhole(visible, extent)) {
        // with nothing to pan the wheel scrolls the page as everywhere
        event.preventDefault();
        const pixels =
          Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
        const perPixel = (visible[1] - visible[0]) / Math.max(1, element.clientWidth);
        axis.visible.value = panned(
          visible,
          extent,
          pixels * perPixel * (event.deltaMode === 1 ? 16 : 1),
        );
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [axis, whole]);

  /** Two fingers keep what is under them. */
  const pinch = (event: PointerEvent) => {
    const box = ref.current?.getBoundingClientRect();
    const before = [...fingers.current.values()].sort((a, b) => a - b);
    fingers.current.set(event.pointerId, event.clientX);
    const after = [...fingers.current.values()].sort((a, b) => a - b);
    const [left = 0, right = 0] = before;
    const [newLeft = 0, newRight = 0] = after;
    if (!box || right - left < 8 || newRight - newLeft < 8) return;
    const [begin, end] = axis.visible.peek();
    const perPixel = (end - begin) / box.width;
    const scale = (right - left) / (newRight - newLeft);
    const held = begin + (left - box.left) * perPixel;
    const from = held - (newLeft - box.left) * perPixel * scale;
    axis.visible.value = within([from, from + (end - begin) * scale], axis.extent.peek());
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    ref.current?.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, event.clientX);
    if (fingers.current.size > 1) {
      drag.current = undefined;
      now.current.onDragging(false);
      return;
    }
    const { selected } = now.current;
    const box = ref.current?.getBoundingClientRect();
    let anchor = positionAt(event.clientX);
    if (selected && box) {
      const [begin, end] = shown();
      const near = (edge: number) =>
        Math.abs(box.left + ((edge - begin) / (end - begin)) * box.width - event.clientX) <=
        handlePixels;
      if (near(selected[0])) anchor = selected[1];
      else if (near(selected[1])) anchor = selected[0];
    }
    drag.current = { anchor, startX: event.clientX, moved: false };
  };

  const rangeTo = (anchor: number, position: number): Range =>
    anchor < position ? [anchor, position] : [position, anchor];

  const move = (event: PointerEvent) => {
    if (fingers.current.size > 1) return pinch(event);
    const position = positionAt(event.clientX);
    axis.cursor.value = position;
    const { current } = drag;
    if (!current) {
      now.current.onHover?.(event, position);
      return;
    }
    if (!current.moved && Math.abs(event.clientX - current.startX) < clickPixels) return;
    if (!current.moved) {
      now.current.onDragging(true);
      now.current.onHover?.(undefined, position);
    }
    current.moved = true;
    now.current.onSelect(rangeTo(current.anchor, position), false);
  };

  const up = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const { current } = drag;
    drag.current = undefined;
    if (!current) return;
    now.current.onDragging(false);
    const position = positionAt(event.clientX);
    if (current.moved) now.current.onSelect(rangeTo(current.anchor, position), true);
    else if (!now.current.onClick?.(event, position)) {
      const { selected } = now.current;
      if (selected && (position < selected[0] || position > selected[1]))
        now.current.onSelect(undefined, true);
    }
  };

  const walk = (step: 1 | -1) => (event: KeyboardEvent) => {
    const by = step * (event.shiftKey ? 10 : 1);
    const [begin, end] = axis.visible.peek();
    const from = axis.cursor.peek() ?? (begin + end) / 2;
    const to = nextSample(now.current.samples ?? [], from, by) ?? from + (by * (end - begin)) / 100;
    const reached = clamp(to, axis.extent.peek()[0], axis.extent.peek()[1]);
    // the picture follows a cursor that leaves it
    if (reached < begin || reached > end) {
      axis.visible.value = panned([begin, end], axis.extent.peek(), reached - (begin + end) / 2);
    }
    axis.cursor.value = reached;
  };

  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: (event: PointerEvent) => {
      fingers.current.delete(event.pointerId);
      if (drag.current?.moved) now.current.onSelect(now.current.selected, true);
      drag.current = undefined;
      now.current.onDragging(false);
    },
    onPointerLeave: () => {
      if (drag.current) return;
      axis.cursor.value = undefined;
      now.current.onHover?.(undefined, Number.NaN);
    },
    onDblClick: (event: MouseEvent) =>
      now.current.onDoubleClick?.(event, positionAt(event.clientX)),
    onKeyDown: ownKeys({ ArrowLeft: walk(-1), ArrowRight: walk(1) }),
  };
}

/** The sample `by` places from the one that holds at `from`; undefined when there are none. */
export function nextSample(
  samples: ArrayLike<number>,
  from: number,
  by: number,
): number | undefined {
  if (samples.length === 0) return undefined;
  const held = lastNotAbove(samples, from + 1e-9);
  // from between two samples the one to the left is already a step away
  const between = held >= 0 && (samples[held] ?? from) < from - 1e-9;
  const index = clamp(held + by + (between && by < 0 ? 1 : 0), 0, samples.length - 1);
  return samples[index];
}
