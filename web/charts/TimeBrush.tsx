import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clamp } from './numbers';
import { isWhole, panned, type Range, type TimeAxis, wheelFactor, zoomed } from './timeAxis';

export interface TimeBrushProps {
  axis: TimeAxis;
  /** the overview always shows the whole axis, tracks the visible part */
  whole?: boolean;
  selected: Range | undefined;
  /** follows the pointer while it drags; `undefined` clears */
  onSelect: (range: Range | undefined) => void;
  /** the position under the cursor as text; undefined = no flag */
  cursorText?: ((position: number) => string) | undefined;
  label: string;
  testId?: string;
  children?: ComponentChildren;
}

/** A drag shorter than this is a click. */
const clickPixels = 3;
const handlePixels = 5;

/**
 * Lies over plots of one time axis: drag selects a range (or moves an edge of the selected one), wheel pans, Ctrl-wheel zooms,
 * the cursor line follows the pointer. Outside of the selection it veils.
 */
export function TimeBrush({
  axis,
  whole = false,
  selected,
  onSelect,
  cursorText,
  label,
  testId,
  children,
}: TimeBrushProps) {
  const ref = useRef<HTMLDivElement>(null);
  const drag = useRef<{ anchor: number; startX: number; moved: boolean } | undefined>(undefined);
  const dragging = useSignal(false);
  const shownRange = (): Range => (whole ? axis.extent.value : axis.visible.value);

  const positionAt = (clientX: number): number => {
    const box = ref.current?.getBoundingClientRect();
    const [begin, end] = whole ? axis.extent.peek() : axis.visible.peek();
    return box ? clamp(begin + ((clientX - box.left) / box.width) * (end - begin), begin, end) : begin;
  };

  useEffect(() => {
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
        const pixels = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
        const perPixel = (visible[1] - visible[0]) / Math.max(1, element.clientWidth);
        axis.visible.value = panned(visible, extent, pixels * perPixel * (event.deltaMode === 1 ? 16 : 1));
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [axis, whole]);

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    ref.current?.setPointerCapture(event.pointerId);
    let anchor = positionAt(event.clientX);
    const box = ref.current?.getBoundingClientRect();
    if (selected && box) {
      const [begin, end] = shownRange();
      const near = (edge: number) =>
        Math.abs(box.left + ((edge - begin) / (end - begin)) * box.width - event.clientX) <= handlePixels;
      if (near(selected[0])) anchor = selected[1];
      else if (near(selected[1])) anchor = selected[0];
    }
    drag.current = { anchor, startX: event.clientX, moved: false };
  };

  const move = (event: PointerEvent) => {
    const position = positionAt(event.clientX);
    axis.cursor.value = position;
    const now = drag.current;
    if (!now) return;
    if (!now.moved && Math.abs(event.clientX - now.startX) < clickPixels) return;
    now.moved = true;
    dragging.value = true;
    onSelect(now.anchor < position ? [now.anchor, position] : [position, now.anchor]);
  };

  const up = () => {
    const now = drag.current;
    drag.current = undefined;
    dragging.value = false;
    if (now && !now.moved && selected && (now.anchor < selected[0] || now.anchor > selected[1])) onSelect(undefined);
  };

  const key = (event: KeyboardEvent) => {
    const visible = axis.visible.peek();
    const length = visible[1] - visible[0];
    const step = (length / 100) * (event.shiftKey ? 10 : 1);
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const from = axis.cursor.peek() ?? (visible[0] + visible[1]) / 2;
    axis.cursor.value = clamp(from + (event.key === 'ArrowLeft' ? -step : step), visible[0], visible[1]);
  };

  const [begin, end] = shownRange();
  const share = (position: number) => clamp((position - begin) / (end - begin), 0, 1) * 100;
  return (
    <div
      ref={ref}
      class={dragging.value ? 'brush brush-dragging' : 'brush'}
      data-testid={testId}
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuemin={begin}
      aria-valuemax={end}
      aria-valuenow={axis.cursor.value ?? begin}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={() => {
        if (!drag.current) axis.cursor.value = undefined;
      }}
      onKeyDown={key}
    >
      {children}
      {selected ? (
        <>
          <div class="brush-veil" style={{ left: 0, width: `${share(selected[0])}%` }} />
          <div class="brush-veil" style={{ left: `${share(selected[1])}%`, right: 0 }} />
          {selected.map((edge, side) =>
            edge >= begin && edge <= end ? (
              <div
                key={side === 0 ? 'begin' : 'end'}
                class={whole ? 'brush-edge brush-edge-handle' : 'brush-edge'}
                style={{ left: `${share(edge)}%` }}
              />
            ) : null,
          )}
        </>
      ) : null}
      {whole && !isWhole(axis.visible.value, axis.extent.value) ? (
        <div
          class="brush-window"
          style={{
            left: `${share(axis.visible.value[0])}%`,
            width: `${share(axis.visible.value[1]) - share(axis.visible.value[0])}%`,
          }}
        />
      ) : null}
      <CursorLine axis={axis} whole={whole} cursorText={cursorText} />
    </div>
  );
}

/** Only this is drawn again when the pointer moves. */
function CursorLine({ axis, whole, cursorText }: Pick<TimeBrushProps, 'axis' | 'cursorText'> & { whole: boolean }) {
  const position = axis.cursor.value;
  const [begin, end] = whole ? axis.extent.value : axis.visible.value;
  if (position === undefined || position < begin || position > end) return null;
  return (
    <div class="cursor-line" style={{ left: `${((position - begin) / (end - begin)) * 100}%` }}>
      {cursorText ? <span class="cursor-flag">{cursorText(position)}</span> : null}
    </div>
  );
}
