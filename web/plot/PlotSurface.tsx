import { useEffect, useRef } from 'preact/hooks';
import { ownKeys } from '../ui/keys';
import { hideTooltip } from '../ui/tooltip';
import { clamp } from './numbers';
import type { Plot } from './plot';
import type { CssPixels } from './useSize';

/** A stretch of the plot that is dragged over, from where it was begun. */
export interface Drag {
  x0: CssPixels;
  y0: CssPixels;
  x1: CssPixels;
  y1: CssPixels;
}

/**
 * Places are pixels of the plot, from its upper left corner; the other two numbers are the
 * window's, for a tooltip.
 */
type PlaceHandler = (x: CssPixels, y: CssPixels, clientX: number, clientY: number) => void;

export interface SurfaceProps {
  /** the mark the arrow keys stand on, of `count`, and what it says */
  now: number | undefined;
  count: number;
  nowText?: string | undefined;
  onHover: PlaceHandler;
  onLeave?: (() => void) | undefined;
  /** a press without a drag */
  onClick?: PlaceHandler | undefined;
  /** while the pointer is down; undefined when it no longer is */
  onDrag?: ((drag: Drag | undefined) => void) | undefined;
  onSelect?: ((drag: Drag) => void) | undefined;
  /** an arrow key: `by` marks further */
  onStep: (by: number) => void;
  onEnter?: (() => void) | undefined;
}

/** A drag shorter than this along both axes is a click. */
export const clickPixels: CssPixels = 3;

/**
 * Lies over a plot: the pointer, and for those without one the arrow keys, which go from mark to
 * mark.
 */
export function PlotSurface(
  props: SurfaceProps & {
    label: string;
    testId: string;
    plot: Plot;
    place: Record<string, string>;
  },
) {
  const { plot, now, count, onHover, onDrag, onSelect, onClick } = props;
  const drag = useRef<Drag | undefined>(undefined);
  useEffect(() => hideTooltip, []);
  const placeOf = (event: PointerEvent): [CssPixels, CssPixels] => {
    const area = (event.currentTarget as Element).getBoundingClientRect();
    return [
      clamp(event.clientX - area.left, 0, plot.width),
      clamp(event.clientY - area.top, 0, plot.height),
    ];
  };
  const dragTo = (to: Drag | undefined) => {
    drag.current = to;
    onDrag?.(to);
  };
  const end = (event: PointerEvent, done: boolean) => {
    const was = drag.current;
    if (!was) return;
    dragTo(undefined);
    if (!done) return;
    const moved =
      Math.abs(was.x1 - was.x0) >= clickPixels || Math.abs(was.y1 - was.y0) >= clickPixels;
    if (moved) onSelect?.(was);
    else onClick?.(was.x1, was.y1, event.clientX, event.clientY);
  };
  const step = (by: 1 | -1) => (event: KeyboardEvent) =>
    props.onStep(by * (event.shiftKey ? 10 : 1));
  return (
    <div
      class="plot-surface"
      style={props.place}
      role="slider"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={now ?? 0}
      aria-valuetext={props.nowText}
      tabIndex={0}
      data-testid={props.testId}
      onPointerDown={(event) => {
        if (event.button !== 0 || !(onSelect || onClick)) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        const [x, y] = placeOf(event);
        dragTo({ x0: x, y0: y, x1: x, y1: y });
      }}
      onPointerMove={(event) => {
        const [x, y] = placeOf(event);
        if (drag.current) dragTo({ ...drag.current, x1: x, y1: y });
        onHover(x, y, event.clientX, event.clientY);
      }}
      onPointerUp={(event) => end(event, true)}
      onPointerCancel={(event) => end(event, false)}
      onPointerLeave={() => {
        hideTooltip();
        props.onLeave?.();
      }}
      onKeyDown={ownKeys({
        ArrowLeft: step(-1),
        ArrowRight: step(1),
        Enter: () => props.onEnter?.(),
      })}
    />
  );
}
