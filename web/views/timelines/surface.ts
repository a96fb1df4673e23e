import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A place on a track: a moment, and how far down the track [0, 1]. */
export interface TrackPoint {
  moment: number;
  down: number;
  /** of the pointer in the window */
  clientX: number;
  clientY: number;
  /** seconds per CSS pixel */
  perPixel: number;
}

/**
 * What a track does with the pointer. All of them lie under one surface, which asks the one it is
 * over.
 */
export interface TrackHandler {
  element: () => Element | null;
  /** what the tooltip says there; undefined = nothing is there */
  hover?: (point: TrackPoint | undefined) => ComponentChildren | undefined;
  /** true when the click was meant for the track and not for the cursor */
  click?: (point: TrackPoint) => boolean;
  doubleClick?: (point: TrackPoint) => void;
}

/** The tracks on a surface, by id. */
export type Surface = Map<string, TrackHandler>;

/** The track under a point of the window, and where on it. */
export function trackAt(
  surface: Surface,
  event: MouseEvent,
  moment: number,
): { handler: TrackHandler; point: TrackPoint; range: DOMRect } | undefined {
  for (const handler of surface.values()) {
    const box = handler.element()?.getBoundingClientRect();
    if (!box || event.clientY < box.top || event.clientY >= box.bottom) continue;
    const down = (event.clientY - box.top) / box.height;
    return {
      handler,
      range: box,
      point: { moment, down, clientX: event.clientX, clientY: event.clientY, perPixel: 0 },
    };
  }
  return undefined;
}

/** Enters a track in the surface it lies under for as long as it is drawn. */
export function useSurface(surface: Surface, id: string, handler: TrackHandler): void {
  const now = useRef(handler);
  now.current = handler;
  // what is seen can be clicked
  useLayoutEffect(() => {
    const entry: TrackHandler = {
      element: () => now.current.element(),
      hover: (point) => now.current.hover?.(point),
      click: (point) => now.current.click?.(point) ?? false,
      doubleClick: (point) => now.current.doubleClick?.(point),
    };
    surface.set(id, entry);
    return () => {
      if (surface.get(id) === entry) surface.delete(id);
    };
  }, [surface, id]);
}
